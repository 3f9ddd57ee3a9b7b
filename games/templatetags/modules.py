"""Load an ES module and all it imports at once.

A browser finds the imports of a module only when it has read the module; a page that names them all is spared these
round trips. Imports are found in the files themselves, so that no list has to be kept.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kadab.static_files import IMPORT

register = template.Library()


@register.simple_tag(takes_context=True)
def module(context: Context, name: str) -> SafeString:
    """Preload what a page has not named yet, and run the module."""
    page: Any = context.render_context  # lasts as long as the page is being drawn
    named: set[str] = page.setdefault("modules", set())
    imports = [each for each in imported(name) if each not in named]
    named.update(imports)
    links = format_html_join("", '<link rel="modulepreload" href="{}">', ((static(f"js/{each}"),) for each in imports))
    return format_html('{}<script type="module" src="{}"></script>', links, static(f"js/{name}"))


@cache
def imported(name: str) -> list[str]:
    """All that a module imports, and what those import, each once."""
    found: list[str] = []
    script = Path(settings.BASE_DIR, f"static/js/{name}").read_text()
    for each in (match["url"].removeprefix("./") for match in re.finditer(IMPORT, script)):
        found += [inner for inner in [*imported(each), each] if inner not in found]
    return found
