# SPDX-License-Identifier: GPL-3.0-or-later
# A program over AT-SPI, as a screen reader meets it. Nothing here sleeps: it goes on with the events that come until a
# condition holds, and gives up after a deadline. What the bus client keeps of earlier answers is left to the program's
# events to correct, as a screen reader leaves it. screen_reader.sh starts the scripts that use this.
import subprocess

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

PATIENCE_S = 30
NODES = 4000  # a tree that is larger than this has a loop


def turn_accessibility_on():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    value = GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True)))
    bus.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set", value, None, 0, -1, None)


turn_accessibility_on()
import pyatspi

SHOWN = (pyatspi.STATE_SHOWING, pyatspi.STATE_VISIBLE)


class Fault(Exception):
    pass


class Heard:
    """One event: what happened, to what, what it was called then, and the new state of a state."""

    def __init__(self, event):
        self.kind = str(event.type)
        self.source = event.source
        self.on = event.detail1
        self.name, self.role = "", ""
        if self.kind.endswith(("-description", "-value")) or "children" in self.kind:
            return  # hundreds a second while training runs on
        try:
            self.name, self.role = event.source.name, event.source.getRoleName()
        except GLib.Error:  # it is gone already
            pass

    def __str__(self):
        return f"{self.kind} {self.on} {self.role} '{self.name}'"


class Reader:
    """`command` starts the program; what it says on standard output goes nowhere."""

    def __init__(self, command):
        self.heard = []
        self.context = GLib.MainContext.default()
        pyatspi.Registry.registerEventListener(lambda event: self.heard.append(Heard(event)),
                                               *(f"object:property-change:accessible-{what}"
                                                 for what in ("name", "description", "value")),
                                               "object:state-changed", "object:children-changed", "object:text-changed",
                                               "window")
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.app = self.wait("the program is on the bus", self.find_app)
        self.window = self.wait("its window is there", lambda: next(iter(self.windows()), None))

    # ---- waiting
    def wait(self, what, condition):
        late = []
        deadline = GLib.timeout_add_seconds(PATIENCE_S, lambda: late.append(True))
        again = GLib.timeout_add(50, lambda: True)  # what no event tells of is asked for again
        try:
            while True:
                try:
                    found = condition()
                except GLib.Error:  # asked in the middle of a change
                    found = None
                if found:
                    return found
                if late or self.process.poll() is not None:
                    last = "\n    ".join(str(h) for h in self.heard[-12:])
                    why = "the program has ended" if self.process.poll() is not None else f"not within {PATIENCE_S} s"
                    raise Fault(f"{what}: {why}; heard last:\n    {last}")
                self.context.iteration(True)
        finally:
            GLib.source_remove(again)
            if not late:
                GLib.source_remove(deadline)

    def hears(self, what, test):
        """Waits for an event since the last forget()."""
        return self.wait("heard: " + what, lambda: next((h for h in list(self.heard) if test(h)), None))

    def forget(self):
        self.heard.clear()

    def announced(self, *words):
        return self.hears("“" + "”, “".join(words) + "” spoken", lambda h: h.kind == "object:state-changed:showing"
                          and h.on and h.role == "notification" and all(word in h.name for word in words))

    def value_changed(self, thing):
        return self.hears(f"value of '{thing.name}'", lambda h: h.kind == "object:property-change:accessible-value"
                          and h.source == thing)

    # ---- finding
    def find_app(self):
        desktop = pyatspi.Registry.getDesktop(0)
        return next((app for app in desktop if app and app.get_process_id() == self.process.pid), None)

    def windows(self):
        return [one for one in self.app if one and is_in(one, *SHOWN)]

    def all(self, root, inside=True):
        """What is shown below `root`, in the order of reading; not the cells of tables and lists."""
        todo, found = [root], []
        while todo:
            one = todo.pop()
            found.append(one)
            if len(found) > NODES:
                raise Fault("the tree has no end")
            if one.getRole() in (pyatspi.ROLE_TABLE, pyatspi.ROLE_LIST, pyatspi.ROLE_TREE, pyatspi.ROLE_TREE_TABLE):
                continue
            children = [child for child in one if child and is_in(child, *SHOWN)]
            todo.extend(reversed(children))
        return found

    def find(self, role, name, root=None):
        def look():
            return next((one for one in self.all(root or self.window)
                         if one.getRoleName() == role and name in one.name), None)
        return self.wait(f"{role} '{name}'", look)

    # ---- acting
    def act(self, thing, *names):
        action = thing.queryAction()
        offered = [action.getName(i) for i in range(action.nActions)]
        for i, name in enumerate(offered):
            if name in names:
                try:
                    action.doAction(i)
                except GLib.Error:  # a dialog that the program waits for: the answer comes when it is closed
                    pass
                return
        raise Fault(f"{thing.getRoleName()} '{thing.name}' offers {offered}, not {names}")

    def press(self, thing):
        self.act(thing, "Press", "Toggle")

    def key(self, keysym):
        pyatspi.Registry.generateKeyboardEvent(keysym, None, pyatspi.KEY_SYM)

    def activate(self, thing):
        """Without a window manager a window gets the keys when it is clicked; `thing` is one where nothing happens."""
        box = thing.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        pyatspi.Registry.generateMouseEvent(box.x + box.width // 2, box.y + box.height - 3, pyatspi.MOUSE_B1C)

    def focus(self, thing):
        thing.queryComponent().grabFocus()
        self.wait(f"'{thing.name}' has the focus", lambda: is_in(thing, pyatspi.STATE_FOCUSED))


def is_in(thing, *states):
    its = thing.getState()
    return all(its.contains(state) for state in states)


def says_something(words):
    return any(c.isalnum() for c in words)


def is_named(thing):
    """Words; a text that can be selected may be a dash, where a figure is not known yet."""
    return says_something(thing.name) or (thing.getRole() == pyatspi.ROLE_LABEL and thing.name.strip() != "")


def check(holds, what):
    if not holds:
        raise Fault(what)


def text_of(thing):
    text = thing.queryText()
    return text.getText(0, text.characterCount)


RIGHT, LEFT, DOWN, TAB, ESCAPE, SPACE, LETTER_L = 0xFF53, 0xFF51, 0xFF54, 0xFF09, 0xFF1B, 0x20, ord("l")


def run(reader, tests):
    """Each of them; how many failed."""
    faults = 0
    try:
        for test in tests:
            begin = GLib.get_monotonic_time()
            try:
                test(reader)
                print(f"PASS   : {test.__name__} ({(GLib.get_monotonic_time() - begin) // 1000} ms)", flush=True)
            except Fault as fault:
                faults += 1
                print(f"FAIL   : {test.__name__}: {fault}", flush=True)
                if reader.process.poll() is not None:
                    break
    finally:
        reader.process.terminate()
        reader.process.wait()
    return faults
