"""Players for staff. Tokens are not shown, and guests' return links live at their seats."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from .models import Player

if TYPE_CHECKING:
    OfPlayers = UserAdmin[Player]
else:
    OfPlayers = UserAdmin

# The admin's own login page knows no limits; ours does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # allauth's own recipe


def lookups_offered(list_filter: Iterable[Any]) -> set[str]:
    """The query parameters that a list's filters are made of."""
    names = {each if isinstance(each, str) else each.parameter_name for each in list_filter}
    return names | {f"{name}__{kind}" for name in names for kind in ("exact", "isnull")}


@admin.register(Player)
class PlayerAdmin(OfPlayers):
    list_display = [
        "display_name",
        "username",
        "email",
        "is_guest",
        "is_active",
        "is_staff",
        "last_login",
        "date_joined",
    ]
    list_filter = ["is_guest", "is_active", "is_staff", "is_superuser"]
    search_fields = ["username", "guest_name", "email"]
    ordering = ["-date_joined"]
    readonly_fields = ["last_login", "date_joined", "is_guest", "mail_trouble"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Guest", {"fields": ["is_guest", "guest_name"]}),
        ("Mail and sound", {"fields": ["email", "mail_my_turn", "mail_trouble", "sound"]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        ("When", {"fields": ["last_login", "date_joined"]}),
    ]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Filter by what the page offers; any other column could be read letter by letter."""
        return lookup in lookups_offered(self.list_filter) and super().lookup_allowed(lookup, value, request)
