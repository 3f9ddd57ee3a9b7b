"""Players for staff. Tokens are not shown, and guests' return links live at their seats."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from .models import Player

# The admin's own login page knows no limits; ours does.
admin.site.login = secure_admin_login(admin.site.login)


@admin.register(Player)
class PlayerAdmin(UserAdmin):
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
    readonly_fields = ["last_login", "date_joined", "is_guest"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Guest", {"fields": ["is_guest", "guest_name"]}),
        ("Mail and sound", {"fields": ["email", "mail_my_turn", "sound"]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        ("When", {"fields": ["last_login", "date_joined"]}),
    ]
