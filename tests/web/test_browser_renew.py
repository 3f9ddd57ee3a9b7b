"""static/js/renew.js in a real browser: whatever an element was, it becomes the new one, and what is the same stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SOURCE = Path("static/js/renew.js").read_text()

# Pairs of random trees, mostly alike, of which the first does not become the second.
FAULTS = """([count, seed]) => {
  let at = seed;
  const chance = (most) => (at = (at * 48271) % 2147483647) % most;
  const leaf = () => (chance(2) ? `word ${chance(4)}` : `<use href="#${chance(4)}" x="${chance(3)}"></use>`);
  const grown = (depth) => {
    const inside = Array.from({ length: chance(5) }, () => (depth ? grown(depth - 1) : leaf())).join("");
    const marks = ["class", "id", "title"].filter(() => chance(3) === 0).map((name) => ` ${name}="${chance(3)}"`);
    return `<${depth % 2 ? "g" : "text"}${marks.join("")}>${inside}</${depth % 2 ? "g" : "text"}>`;
  };
  const faults = [];
  for (let round = 0; round < count; round++) {
    const [old, fresh] = ["svg", "svg"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    old.innerHTML = Array.from({ length: chance(5) }, () => grown(2)).join("");
    fresh.innerHTML = chance(3) ? old.innerHTML : Array.from({ length: chance(5) }, () => grown(2)).join("");
    const nodes = [...fresh.querySelectorAll("*")];
    for (let change = chance(4); change > 0 && nodes.length; change--) {
      const node = nodes[chance(nodes.length)];
      [() => node.remove(), () => node.append(leaf()), () => node.setAttribute("class", "other"),
       () => node.replaceWith(document.createElementNS(node.namespaceURI, "path"))][chance(4)]();
    }
    const wanted = fresh.cloneNode(true);
    renew(old, fresh);
    if (!old.isEqualNode(wanted)) faults.push([old.innerHTML, wanted.innerHTML]);
  }
  return faults;
}"""


@pytest.fixture(name="page")
def fixture_page(chromium: Browser):
    page = chromium.new_page()
    page.add_script_tag(content=SOURCE.replace("export const renew", "globalThis.renew"))
    yield page
    page.close()


def test_whatever_an_element_was_it_becomes_the_new_one(page: Page):
    assert page.evaluate(FAULTS, [2000, 7]) == []


def renewed(page: Page, old: str, fresh: str, kept: str) -> int:
    """How many of these nodes of the old element are still in it."""
    return page.evaluate(
        """([old, fresh, kept]) => {
          document.body.innerHTML = `<div>${old}</div>`;
          const nodes = [...document.querySelectorAll(kept)];
          const box = document.createElement("div");
          box.innerHTML = fresh;
          renew(document.body.firstChild, box);
          if (document.body.firstChild.innerHTML !== fresh) throw Error(document.body.innerHTML);
          return nodes.filter((each) => each.isConnected).length;
        }""",
        [old, fresh, kept],
    )


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("<p>1</p><p>2</p><p>3</p>", "<p>1</p><p>two</p><p>3</p>"),
        ("<p>1</p><p>2</p><p>3</p>", "<p>1</p><p>2</p><b>new</b><p>3</p>"),
        ("<p>1</p><b>goes</b><p>2</p><p>3</p>", "<p>1</p><p>2</p><p>3</p>"),
        ('<p class="far">1</p><p>2</p><p>3</p>', '<p id="x">1</p><p>2</p><p>3</p>'),
    ],
)
def test_what_stays_the_same_is_kept(page: Page, old: str, fresh: str):
    assert renewed(page, old, fresh, "p") == 3


def test_what_has_the_focus_keeps_it(page: Page):
    page.set_content('<ul><li><button>a</button></li><li class="x">1</li></ul>')
    page.add_script_tag(content=SOURCE.replace("export const renew", "globalThis.renew"))
    page.focus("button")
    page.evaluate(
        """() => {
          const fresh = document.createElement("ul");
          fresh.innerHTML = "<li><button>a</button></li><li>2</li><li>3</li>";
          renew(document.querySelector("ul"), fresh);
        }"""
    )
    assert page.evaluate("document.activeElement.textContent") == "a"
    assert page.inner_html("ul") == "<li><button>a</button></li><li>2</li><li>3</li>"
