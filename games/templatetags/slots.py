"""Slots of a table's page by their dom id, which has hyphens and so cannot be a variable's name."""

from django import template

register = template.Library()


@register.filter
def slot(drawn: dict[str, str], name: str) -> str:
    return drawn[name]


@register.filter
def slot_of(drawn: dict[str, str], place: str) -> str:
    """What lies in a hex."""
    return drawn[f"in-{place}"]
