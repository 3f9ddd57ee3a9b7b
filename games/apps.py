from django.apps import AppConfig

from kadab import metrics


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        metrics.watch_database()
