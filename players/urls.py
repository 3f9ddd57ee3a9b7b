"""Accounts: our own pages, then allauth's. Of two with the same path, ours come first and are found."""

from django.urls import include, path, re_path

from . import views

urlpatterns = [
    path("", views.account, name="account"),
    path("name/", views.rename_guest, name="rename_guest"),
    path("keep/", views.keep_games, name="keep_games"),
    path("hours/", views.set_hours, name="set_hours"),
    path("telling/", views.set_telling, name="set_telling"),
    path("telling/again/", views.try_mail_again, name="try_mail_again"),
    path("calendar/", views.renew_calendar, name="renew_calendar"),
    path("push/", views.push_here, name="push_here"),
    path("push/<int:pk>/remove/", views.remove_push, name="remove_push"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("blocks/end/", views.end_block, name="end_block"),
    path("vacations/", views.add_vacation, name="add_vacation"),
    path("vacations/cancel/", views.cancel_vacation, name="cancel_vacation"),
    path("tokens/", views.make_token, name="make_token"),
    path("tokens/<int:pk>/revoke/", views.revoke_token, name="revoke_token"),
    path("login/", views.LoginView.as_view(), name="account_login"),
    path("logout/", views.LogoutView.as_view(), name="account_logout"),
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("email/", views.EmailView.as_view(), name="account_email"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", views.ConfirmEmailView.as_view(), name="account_confirm_email"),
    path("reauthenticate/", views.ReauthenticateView.as_view(), name="account_reauthenticate"),
    path("password/change/", views.PasswordChangeView.as_view(), name="account_change_password"),
    path("password/set/", views.PasswordSetView.as_view(), name="account_set_password"),
    path("password/reset/", views.PasswordResetView.as_view(), name="account_reset_password"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("", include("allauth.urls")),
]
