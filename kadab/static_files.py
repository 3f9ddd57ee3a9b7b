"""Compress static files at collectstatic: with gzip all of them, with Brotli what players load.

Brotli at its best level is slow: for the source maps of the API's documentation and the admin's libraries it takes half
a minute, and players never load them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# An import or export of another module of ours, the only form that our scripts use. (Django's own patterns would also
# meet the scripts of libraries, some of which they break.)
IMPORT = r"""(?m)^(?P<matched>(?P<what>(?:import|export)\s(?:[^"';]*?\sfrom\s)?)"(?P<url>\./[a-z_]+\.js)";)"""
HASHED = re.compile(r"\.[0-9a-f]{12}\.")  # pages use these names only


class PlayersFiles(Compressor):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.gzip_alone = Compressor(**options, use_brotli=False)

    def compress(self, path: str) -> list[str]:
        found: list[str] = super().compress(path) if is_for_players(path) else self.gzip_alone.compress(path)
        return found


def is_for_players(path: str) -> bool:
    """Whether a file comes from our own folder `static`, under the name that pages know it by."""
    inside = Path(path).relative_to(settings.STATIC_ROOT)
    ours = any((Path(folder) / inside.parts[0]).exists() for folder in settings.STATICFILES_DIRS)
    return ours and HASHED.search(inside.name) is not None


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Static files under names with a digest; imports between modules are written with these names too."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", ((IMPORT, '%(what)s"%(url)s";'),)))
    max_post_process_passes = 20  # one for each step of the longest chain: a name changes with the names it imports

    def create_compressor(self, **options: Any) -> Compressor:
        return PlayersFiles(**options)
