"""Kadab's settings. What differs from machine to machine comes from the environment, with defaults that run.

HOST           the address the server listens at; anything but loopback switches the demo account off
SITE_URL       where browsers find the site; hosts, CSRF origins, secure cookies and links in mail follow from it
DATABASE_URL   sqlite (default, in var/) or postgres://…
DATABASE_CONNECTIONS  how many connections to PostgreSQL one process may open (16)
REDIS_URL      a channel layer for several processes; without it the in-memory layer serves exactly one
NOTICE_DELAY_SECONDS  how long a question waits before anybody is told of it (60)
OUTGOING_ALLOWED  for tests: HOST:PORT, separated by commas, that webhooks and pushes may reach although inside
SECRET_KEY     made once and kept in var/secret_key when not given
EMAIL_URL      smtp://user:password@host:port, smtps:// or smtp+tls://; without it mail is printed on the console
EMAIL_FROM     the sender's address
VAPID_PRIVATE_KEY  with it news is pushed to browsers; manage.py make_push_keys makes it, and keeps it in var/
TRUSTED_PROXIES  how many proxies of ours add to X-Forwarded-For; the header counts for nothing where it is 0,
               the default for http. With https it is 1, as something in front must be ending TLS
REQUEST_SECONDS, MOST_HALF_SENT  how long a request may take to arrive (25), and how many of one address may be
               under way (100); kadab/serve.py keeps to them
SILENT_DAYS, LOST_LINK_DAYS  after how many days (3) a bot may play for somebody who does not answer, and a guest who
               lost the link to a seat gets it back where nobody has to agree
MOST_RUNNING_GAMES  how many games one player may have running at the same time (30)
METRICS_TOKEN  with it /metrics answers other machines too; without it this machine only
LOG_JSON       1 for one JSON object per line of the log
SLOW_ACTION_MS actions that take longer are logged with the layer that took the time (250)
ERRORS_TO      addresses, separated by commas, that get a mail when the site makes an error
DEBUG          1 for development only: it shows internals
"""

import operator
import os
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("KADAB_VAR", BASE_DIR / "var"))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def kept_secret(path: Path) -> str:
    """A secret made on the first start and kept for all later ones, readable by the owner only."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        file.write(secret := get_random_secret_key())
    return secret


DEBUG = os.environ.get("DEBUG") == "1"
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(VAR_DIR / "secret_key")

# ---- where the site is

SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
SITE = urlsplit(SITE_URL)
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
# Nobody but this machine can reach the site: only then is there a demo account.
IS_LOOPBACK = SITE.hostname in LOOPBACK and os.environ.get("HOST", "127.0.0.1") in LOOPBACK
ALLOWED_HOSTS = sorted({SITE.hostname or "localhost", "[::1]", *LOOPBACK})
CSRF_TRUSTED_ORIGINS = [SITE_URL]
IS_SECURE = SITE.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_SECURE else None
SECURE_HSTS_SECONDS = 31_536_000 if IS_SECURE else 0
SESSION_ENGINE = "players.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 3600  # games wait for weeks, and so do guests
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
        "worker-src": [SELF],
    }
}

# ---- what it is made of

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "csp",
    "ninja",
    "allauth",
    "allauth.account",
    "players",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "kadab.compression.Compress",
    "csp.middleware.CSPMiddleware",
    "kadab.texts.LimitTexts",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.middleware.StoredGames",
    "games.middleware.FairShares",
    "kadab.methods.ExplainMethods",
]

ROOT_URLCONF = "kadab.urls"
ASGI_APPLICATION = "kadab.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.context.waiting",
            ]
        },
    }
]

# ---- where games are kept

DATABASES = {"default": dj_database_url.config(default=f"sqlite:///{VAR_DIR / 'kadab.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "kadab.sqlite"
    # IMMEDIATE takes the write lock when a transaction begins; DEFERRED fails half-way with "database is locked".
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    # Tests use a file as well: SQLite in memory locks whole tables between threads, which no real site does.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / f"test-{os.getpid()}.sqlite3"}
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
        DATABASES["default"]["ENGINE"] = "kadab.postgres"
    # A pool's own default is four connections, and half a minute of waiting for one: fewer than a process has threads.
    # When PostgreSQL is away everybody is to be told so within two seconds; and the pool must not get into the habit of
    # longer and longer rests between its own tries, or it would find out late that PostgreSQL is back.
    DATABASES["default"]["OPTIONS"] = {
        "pool": {
            "min_size": 1,
            "max_size": int(os.environ.get("DATABASE_CONNECTIONS", "16")),
            "timeout": 1.2,
            "reconnect_timeout": 0.3,
        },
        "connect_timeout": 2,
        # A cable that is cut says nothing: what was sent and not received within two seconds closes the connection.
        "tcp_user_timeout": 2000,
        "keepalives_idle": 5,
        "keepalives_interval": 1,
        "keepalives_count": 2,
    }
    # After a restart of PostgreSQL the pool holds dead connections; each is tried before it is given out.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL:
    CHANNEL_LAYERS = {"default": {"BACKEND": "kadab.redis_bus.Bus", "CONFIG": {"hosts": [REDIS_URL]}}}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# ---- people

AUTH_USER_MODEL = "players.Player"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_BLACKLIST = [
    *("admin", "administrator", "anonymous", "bot", "computer", "guest", "host", "kadab", "moderator"),
    *("nobody", "root", "spectator", "staff", "support", "system"),
]
ACCOUNT_USER_DISPLAY = operator.attrgetter("display_name")
ACCOUNT_EMAIL_VERIFICATION = "optional"
# No form tells whether an address has an account; until somebody confirms it, several accounts may claim it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SITE.scheme
# Guests are logged in, too, and may log in to an account: players.views decides who is sent on.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_FORMS = {
    "login": "players.forms.LoginForm",
    "signup": "players.forms.SignupForm",
    "add_email": "players.forms.AddEmailForm",
    "change_password": "players.forms.ChangePasswordForm",
    "set_password": "players.forms.SetPasswordForm",
    "reset_password": "players.forms.ResetPasswordForm",
    "reset_password_from_key": "players.forms.ResetPasswordKeyForm",
    "user_token": "players.forms.UserTokenForm",
    "reauthenticate": "players.forms.ReauthenticateForm",
}
# allauth's "key" of a failed login is the name; players.adapter makes it the address and the name, so that
# nobody can lock a player out from elsewhere. A reset's key is the address written to: five links an hour do.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "20/m/ip,5/5m/key",
    "signup": "20/m/ip",
    "guest": "60/m/ip",
    "reset_password": "10/m/ip,5/h/key",
}
ALLAUTH_TRUSTED_PROXY_COUNT = int(os.environ.get("TRUSTED_PROXIES", "1" if IS_SECURE else "0"))
# The limits count here: in each process for itself, so that a dead Redis keeps nobody from logging in.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

# ---- mail

EMAIL_FROM = DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("EMAIL_FROM", "Kadab <kadab@localhost>")
EMAIL_URL = os.environ.get("EMAIL_URL", "")
if EMAIL_URL:
    mail = urlsplit(EMAIL_URL)
    EMAIL_BACKEND = "kadab.mail.SmtpBackend"
    EMAIL_HOST, EMAIL_PORT = mail.hostname, mail.port or 25
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(mail.username or ""), unquote(mail.password or "")
    EMAIL_USE_SSL, EMAIL_USE_TLS = mail.scheme == "smtps", mail.scheme == "smtp+tls"
    EMAIL_TIMEOUT = 10  # seconds for each answer of the mail server
else:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

# ---- push (players/push.py)

VAPID_FILE = VAR_DIR / "vapid_key"  # manage.py make_push_keys writes it
VAPID_PRIVATE_KEY = os.environ.get("VAPID_PRIVATE_KEY") or (VAPID_FILE.read_text() if VAPID_FILE.exists() else "")
VAPID_CONTACT = SITE_URL if IS_SECURE else f"mailto:{parseaddr(EMAIL_FROM)[1]}"  # whom push services may ask

# ---- files

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {"staticfiles": {"BACKEND": "kadab.static_files.StaticFiles"}}

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"

# Nothing a browser may send is larger; daphne spools bodies to disk before Django sees them, so a proxy limits too.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024

# ---- Kadab's own

TABLE_EXPIRES_DAYS = 14  # tables that never started
SILENT_DAYS = int(os.environ.get("SILENT_DAYS", "3"))  # until a bot may play for somebody who does not answer
MOST_RUNNING_GAMES = int(os.environ.get("MOST_RUNNING_GAMES", "30"))  # of one player
# A game of two: after so many days without a refusal a guest gets back into a lost seat.
LOST_LINK_DAYS = int(os.environ.get("LOST_LINK_DAYS", "3"))
LOST_LINK_EXPIRES_DAYS = max(7, LOST_LINK_DAYS + 4)
NOTICE_DELAY_SECONDS = int(os.environ.get("NOTICE_DELAY_SECONDS", "60"))  # a quick answer needs no mail
# How much one address may ask for in a minute. Acting is not limited; behind TRUSTED_PROXIES each visitor counts alone.
READS_A_MINUTE = {
    "anonymous": 120,  # pages, past positions and exports of tables, without an account or a guest's name
    "player": 900,  # the same when logged in: several people may share an address
    "pulse": 1800,  # pages that ask whether they are up to date
    "api": 120,  # calls without a token, or with a wrong one
    "api_token": 3000,  # reading calls with a token
}
OUTGOING_ALLOWED = {each for each in os.environ.get("OUTGOING_ALLOWED", "").split(",") if each}
CARETAKER = os.environ.get("CARETAKER", "1") == "1"  # 0: bots and mail are another process's work
WRITING_THREAD = True  # games/worker.py; tests whose transaction only their own thread can see go without
BOT_PROCESSES = int(os.environ.get("BOT_PROCESSES", max(1, (os.cpu_count() or 2) - 1)))

# ---- watching it (kadab/watch.py, kadab/logs.py)

METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
LOG_JSON = os.environ.get("LOG_JSON") == "1"
ADMINS = [("", address.strip()) for address in os.environ.get("ERRORS_TO", "").split(",") if address.strip()]
DEFAULT_EXCEPTION_REPORTER = "kadab.logs.PlainReporter"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"floods": {"()": "kadab.logs.Floods"}, "mail_floods": {"()": "kadab.logs.Floods", "most": 1}},
    "formatters": {
        "line": {"()": "kadab.logs.Line", "format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "kadab.logs.JsonLine"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_JSON else "line",
            "filters": ["floods"],
        },
        "mail": {
            "class": "django.utils.log.AdminEmailHandler",
            "formatter": "line",
            "level": "ERROR",
            "filters": ["mail_floods"],
        },
    },
    "root": {"handlers": ["console", *(["mail"] if ADMINS else [])], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},  # Django's own handlers would mail a second time
        "daphne": {"level": "WARNING"},
        "django.channels.server": {"level": "WARNING"},
        "psycopg.pool": {"level": "ERROR"},  # kadab.unavailable tells that the database is away
    },
}
