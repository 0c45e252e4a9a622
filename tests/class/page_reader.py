# SPDX-License-Identifier: GPL-3.0-or-later
# The student's page in Chromium as a screen reader meets it, and a keyboard alone: what it is made of, what Tab leads to,
# what is said when something changes. Started by tests/support/screen_reader.sh, with the folder of the programs. Exit
# code 77: there is no Chromium.
import os
import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from at_spi import DOWN, RIGHT, SPACE, TAB, Reader, check, is_in, is_named, pyatspi, run, says_something
from client import Class


class Page(Reader):
    """Chromium with the page, in a window that has nothing else."""

    def __init__(self, chromium, room):
        folder = Path(os.environ["HOME"]) / "chromium"
        super().__init__([chromium, "--no-sandbox", "--force-renderer-accessibility", "--no-first-run", "--disable-gpu",
                          "--lang=en", "--accept-lang=en", f"--user-data-dir={folder}", "--window-size=1200,900",
                          "--app=" + room.link])
        self.room = room
        self.page = self.wait("the page", lambda: next((one for one in self.below(self.window)
                                                         if one.getRole() == pyatspi.ROLE_DOCUMENT_WEB and one.name), None))

    def below(self, root):
        todo, found = [root], []
        while todo:
            one = todo.pop()
            found.append(one)
            check(len(found) < 4000, "the tree has no end")
            todo.extend(reversed([child for child in one if child]))
        return found

    def thing(self, role, name=""):
        return self.wait(f"{role} '{name}'", lambda: next(
            (one for one in self.below(self.page) if one.getRoleName() == role and name in words_of(one)), None))

    def says(self, *words):
        """A live region says so, without being asked."""
        def said():
            return next((one for one in self.below(self.page) if "live:polite" in one.getAttributes()
                         and all(word in words_of(one) for word in words)), None)
        return self.wait("said: " + " … ".join(words), said)


def words_of(thing):
    """What is read of it: its name, or the texts in it."""
    if thing.name:
        return thing.name
    return " ".join(part.name for part in thing if part and part.getRole() == pyatspi.ROLE_STATIC)


# ---- what is tried, in this order


def reads_the_page(page):
    page.says("You are Otter 1, and you are training.")
    page.thing("static", "Applied, as update")
    headings = [one for one in page.below(page.page) if one.getRole() == pyatspi.ROLE_HEADING]
    levels = [next(a for a in one.getAttributes() if a.startswith("level:")) for one in headings]
    check(levels == ["level:1"] + ["level:2"] * 6, f"headings {levels}")
    check(all(says_something(one.name) for one in headings), "a heading says nothing")
    regions = {one.name for one in page.below(page.page) if "xml-roles:region" in one.getAttributes()}
    for name in ("State", "My images", "My gradient", "What the server did with it", "Loss", "Draw a digit and ask the class"):
        check(name in regions, f"no region '{name}' among {regions}")
    nameless = [one.getRoleName() for one in page.below(page.page) if is_in(one, pyatspi.STATE_FOCUSABLE) and not is_named(one)]
    check(not nameless, f"without a name: {nameless}")


def reads_pictures_and_figures(page):
    page.wait("a picture in words", lambda: "Probability of the right answer" in words_of(page.thing("list item")))
    check("the loss is between" in page.thing("image", "Loss").name, "the curve says nothing")
    # All of it changes twice a second: asked in the middle of that, it is asked again.
    def saying(role):
        return [one for one in page.below(page.page) if one.getRole() == role and says_something(words_of(one))]
    page.wait("what the server did, in five figures", lambda: len(saying(pyatspi.ROLE_DESCRIPTION_VALUE)) == 5)
    page.wait("three layers of a gradient", lambda: len(saying(pyatspi.ROLE_CAPTION)) == 3)


def tab_leads_to(page):
    page.focus(page.thing("toggle button", "English"))
    met = ["English"]
    while len(met) < 20 and "exact source" not in met[-1]:
        page.forget()
        page.key(TAB)
        to = page.hears("the focus elsewhere", lambda h: h.kind == "object:state-changed:focused" and h.on and h.role
                        and h.name != met[-1])
        check(says_something(to.name), f"Tab leads to a {to.role} without a name, after {met}")
        met.append(to.name)
    return met


def goes_through_it_with_tab(page):
    # On a busy machine the page may lose its server for a while, and shows no pictures until it has joined anew.
    for last in (False, False, True):
        page.thing("push button", "Show all 64")
        met = tab_leads_to(page)
        lacking = [name for name in ("Deutsch", "Pause", "Show all 64", "Board for a digit", "Clear", "The licence")
                   if name not in met]
        check(not (last and lacking), f"Tab does not lead to {lacking}: {met}")
        if not lacking:
            return


def pauses_and_goes_on(page):
    page.focus(page.thing("push button", "Pause"))
    page.key(SPACE)
    page.says("you have paused")
    goes_on = page.thing("push button", "Go on")
    check(is_in(goes_on, pyatspi.STATE_FOCUSED), "the focus is lost")
    page.key(SPACE)
    page.says("You are Otter 1, and you are training.")


def draws_and_asks(page):
    page.says("Draw something.")
    page.focus(page.thing("embedded", "Board for a digit"))
    page.key(SPACE)
    page.says("The pen is down")
    for keysym, times in ((DOWN, 12), (RIGHT, 6)):
        for _ in range(times):
            page.key(keysym)
    page.key(SPACE)
    page.says("The class says ")


def speaks_german(page):
    page.focus(page.thing("toggle button", "Deutsch"))
    page.key(SPACE)
    page.says("Sie sind Otter 1")
    page.thing("heading", "Meine Bilder")
    check(is_in(page.thing("toggle button", "Deutsch"), pyatspi.STATE_PRESSED), "no language is chosen")


def hears_of_the_end(page):
    page.room.process.send_signal(signal.SIGINT)
    page.says("Die Stunde ist zu Ende.")
    check(not is_in(page.thing("push button", "Pause"), pyatspi.STATE_ENABLED), "there is nothing to pause any more")


def main():
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("SKIP: Chromium is not there: install the package chromium")
        return 77
    room = Class(sys.argv[1], ["--steps", "1000000", "--eval-every", "0"])
    try:
        return 1 if run(Page(chromium, room), (reads_the_page, reads_pictures_and_figures, goes_through_it_with_tab,
                                               pauses_and_goes_on, draws_and_asks, speaks_german, hears_of_the_end)) else 0
    finally:
        room.process.terminate()
        room.process.wait(60)


sys.exit(main())
