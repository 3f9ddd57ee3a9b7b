"""The site's URLs."""

from django.contrib import admin
from django.urls import include, path

from games.api import api, no_such_page
from kadab import unavailable, watch

handler500 = unavailable.answer

urlpatterns = [
    path("", include("games.urls")),
    path("account/", include("players.urls")),
    path("api/v1/", api.urls),
    path("api/v1/<path:rest>", no_such_page),
    path("admin/", admin.site.urls),
    path("healthz", watch.healthz),
    path("readyz", watch.readyz),
    path("metrics", watch.show_metrics),
]
