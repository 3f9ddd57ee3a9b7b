"""The controls of a page as a browser without scripts has them: one form, its fields and its buttons."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """What would be sent, and the buttons that send it: (name, value, text, attributes)."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str, str, dict[str, str]]] = field(default_factory=list)

    def sent_by(self, name: str, value: str) -> dict[str, list[str]]:
        return {**self.fields, name: [*self.fields.get(name, []), value]}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.form = Form()
        self.is_open = True
        self.select = ""
        self.button: dict[str, str] | None = None
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self.is_open = given.get("id") == "control-form"
        if not self.is_open:
            return
        if tag == "input" and given.get("name"):
            self.form.fields[given["name"]] = [given.get("value", "")]
        elif tag == "select":
            self.select = given.get("name", "")
        elif tag == "option" and self.select and (self.select not in self.form.fields or "selected" in given):
            self.form.fields[self.select] = [given["value"]]
        elif tag == "button" and given.get("name") and "disabled" not in given:
            self.button, self.text = given, ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_open = False
        if tag == "select":
            self.select = ""
        if tag == "button" and self.button is not None:
            self.form.buttons.append((self.button["name"], self.button["value"], self.text.strip(), self.button))
            self.button = None

    def handle_data(self, data: str) -> None:
        self.text += data


def form_in(markup: str) -> Form:
    """The form of the controls in a page, or in the controls alone."""
    reader = Reader()
    reader.is_open = 'id="control-form"' not in markup
    reader.feed(markup)
    return reader.form
