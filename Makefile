# Kadab: `make play` to play, `make test` to test. Both do all their own set-up.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
SITE_URL ?= http://$(HOST):$(PORT)
# Every command of ours gets these.
export HOST SITE_URL
VENV := .venv
BIN := $(VENV)/bin
# A second run finds these newer than what they were made from, and starts in seconds.
PLAY_READY := $(VENV)/.ready-to-play
TEST_READY := $(VENV)/.ready-to-test
NODE_READY := node_modules/.ready

.PHONY: help setup play reachable test test-cluster test-cluster-part cluster cluster-down quick lint format bench load soak \
  faults film fuzz mutants twins browser clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'
	@echo
	@echo "  make play HOST=0.0.0.0 SITE_URL=http://192.168.1.5:8000   for friends on the same network"

# Whoever waits is told what for: each library by its name as it arrives. A pipe would hide that pip has failed.
define install
	@rm -f $(VENV)/.failed
	@{ $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -r $(1) || touch $(VENV)/.failed; } | awk '\
	  /^(Collecting|Processing) / {n = split($$2, path, "/"); split(path[n], name, "=="); print "  " name[1]; fflush()} \
	  /^Installing collected/ {print "  unpacking them …"; fflush()}'
	@test ! -e $(VENV)/.failed
endef

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Kadab needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo "Making a Python environment in $(VENV)/ …"
	@$(PYTHON) -m venv $(VENV)

$(PLAY_READY): requirements.txt | $(BIN)/python
	@echo "Installing $$(grep -c == requirements.txt) libraries into $(VENV)/; this takes up to two minutes, and only once …"
	$(call install,requirements.txt)
	@touch $@

$(TEST_READY): requirements-dev.txt requirements.txt | $(BIN)/python
	@echo "Installing the libraries of play and tests into $(VENV)/; this takes some minutes, and only once …"
	$(call install,requirements-dev.txt)
	@touch $@ $(PLAY_READY)

setup: $(PLAY_READY) ## the environment and the database
	@echo "Bringing the database up to date …"
	@$(BIN)/python manage.py migrate --verbosity 0

play: reachable setup ## play at http://127.0.0.1:8000 (HOST=, PORT= and SITE_URL= to change that)
	@echo "Gathering pictures, styles and scripts …"
	@$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	@$(BIN)/python manage.py demo
	@echo "Starting Kadab; press Ctrl+C to stop it …"
	@exec $(BIN)/python -m kadab.serve --host $(HOST) --port $(PORT)

# Links in invitations need an address that friends can type; "everywhere" is none.
reachable:
	@case "$(SITE_URL)" in http://0.0.0.0:*|http://:::*) \
	  echo "Say under which address others reach this machine: make play HOST=$(HOST) SITE_URL=http://192.168.1.5:$(PORT)" >&2; \
	  exit 1;; esac

# Half of a test's time is waiting for browsers and servers: two workers for each core.
WORKERS ?= $(shell echo $$(( $$(nproc) * 2 )))
test: $(TEST_READY) browser ## every test, in parallel, with a real browser
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

# PostgreSQL and Redis are Debian's, started for this run only (tools/services.py installs them where it may).
CLUSTER_TESTS ?= tests/web
test-cluster: $(TEST_READY) browser ## web, gate, consumer and browser tests on PostgreSQL and Redis
	$(BIN)/python -m tools.services $(BIN)/python -m pytest -n auto $(CLUSTER_TESTS) $(ARGS)

# A part of it: the gate, sockets, workers, copies, a whole site, and a browser. Small enough for CI: four minutes on two
# cores.
CLUSTER_PART := tests/web/test_gate.py tests/web/test_table_consumer.py tests/web/test_socket_door.py \
  tests/web/test_redis_bus.py tests/web/test_workers.py tests/web/test_backup.py tests/web/test_cluster.py tests/web/test_browser_network.py
test-cluster-part:
	@$(MAKE) test-cluster CLUSTER_TESTS="$(CLUSTER_PART)"

CLUSTER_PORT ?= 8080
cluster: $(PLAY_READY) ## a whole site at http://127.0.0.1:8080: nginx, three web processes, bots, mail, PostgreSQL, Redis
	@$(BIN)/python -m tools.cluster up --port $(CLUSTER_PORT)

cluster-down: ## take it away again, with its games
	@$(BIN)/python -m tools.cluster down

# Games played out by the hundred, those of three and four, and stored ones played to their end are left to `make test`.
QUICK := tests/engine tests/test_layers.py tests/web/test_gate.py tests/web/test_act.py tests/web/test_why_not.py \
  tests/web/test_limits.py tests/web/test_fair_shares.py \
  --ignore tests/engine/test_kings_invariants.py --ignore tests/engine/test_steward.py -k "not kings-3 and not kings-4 and not go_on_to_their_end"
quick: lint ## while you work: lint, types, engine and gate, in under two minutes on two cores
	$(BIN)/python -m pytest -n auto -q $(QUICK) $(ARGS)

TEMPLATES = $(shell find templates -name '*.html')

# Linters of scripts and style sheets. Node itself comes with requirements-dev.txt.
$(NODE_READY): package-lock.json | $(TEST_READY)
	@echo "Installing the linters of scripts and style sheets into node_modules/ …"
	@PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/npm ci --silent --no-audit --no-fund
	@touch $@

lint: $(TEST_READY) $(NODE_READY) ## style, types, migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python manage.py makemigrations --check --dry-run --verbosity 1
	$(BIN)/node node_modules/eslint/bin/eslint.js .
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --log-level warn --check .
	$(BIN)/djade --check $(TEMPLATES)
	$(BIN)/djhtml --tabwidth 2 --check $(TEMPLATES)

format: $(TEST_READY) $(NODE_READY) ## put code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --log-level warn --write .
	$(BIN)/djade $(TEMPLATES)
	$(BIN)/djhtml --tabwidth 2 $(TEMPLATES)

bench: $(TEST_READY) ## speed and strength, as tables
	@for each in bench/*.py; do echo "== $$each"; PYTHONPATH=. $(BIN)/python $$each || exit 1; done

# TABLES="1 25", DOOR="post socket", ROUNDS=3, or anything of `python -m bench.load --help` as ARGS.
TABLES ?= 1 25 100 250
SECS ?= 10
DOOR ?= post
ROUNDS ?= 1
load: $(TEST_READY) ## load on a real server: TABLES="1 25 100 250" of four people for SECS=10 seconds each
	@$(BIN)/python -m bench.load --tables $(TABLES) --secs $(SECS) --door $(DOOR) --rounds $(ROUNDS) $(ARGS)

SOAK_SECONDS ?= 600
SOAK_TABLES ?= 10
soak: $(TEST_READY) ## SOAK_SECONDS=600 of play: memory and open files must not grow
	@$(BIN)/python -m bench.load --soak $(SOAK_SECONDS) --tables $(SOAK_TABLES) --door $(DOOR) $(ARGS)

# FAULTS="redis postgres-20", or any beginning of a name in tools/faults.py; all of them take about half an hour.
FAULTS ?=
KILLS ?= 200
faults: $(TEST_READY) ## kill, hang and fill up what Kadab stands on while people play; KILLS=200, FAULTS="redis network"
	@$(BIN)/python -m tools.faults $(FAULTS) --kills $(KILLS) $(ARGS)

fuzz: $(TEST_READY) ## 300 random games of Kings & Things* for each number of players
	@for players in 2 3 4; do $(BIN)/python manage.py fuzz --game kings --players $$players --games 300 --seed 1 || exit 1; done

mutants: $(TEST_READY) ## switch off one rule at a time: its scenarios must fail
	@$(BIN)/python -m tests.mutants

# The pictures are in var/film/. A game of four turns takes some minutes.
GAMES ?= 10
TURNS ?= 4
film: $(TEST_READY) browser ## GAMES=10 of TURNS=4 in a browser: everything that concerns the player is seen before they are asked
	@$(BIN)/python -m tools.film --games $(GAMES) --turns $(TURNS) $(ARGS)

TWINS ?= 1000
twins: $(TEST_READY) ## nothing hidden shows on any surface, at TWINS=1000 moments of random games
	@KADAB_TWINS=$(TWINS) $(BIN)/python -m pytest -n auto --timeout 0 tests/web/test_every_surface.py $(ARGS)

# Tests drive Debian's Chromium, best its headless shell: without the browser's own windows, which are pages as well, it
# takes a quarter of the processor time. Where it is missing and may be installed, it is; without any the tests fail.
browser:
	@command -v chromium-headless-shell >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests"; \
	    apt-get update -qq && { apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null || \
	      apt-get install -y -qq --no-install-recommends chromium >/dev/null; }; \
	  else command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	    echo "No Chromium found: install the package chromium-headless-shell for the browser tests." >&2; fi; }

clean: ## remove the environment (games in var/ stay)
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
