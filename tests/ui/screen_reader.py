# SPDX-License-Identifier: GPL-3.0-or-later
# The window as a screen reader meets it: what is on the stage, what can be operated and how, what is heard when something
# changes. Started by tests/support/screen_reader.sh, with the program.
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from at_spi import (DOWN, ESCAPE, LEFT, LETTER_L, RIGHT, SPACE, TAB, Fault, GLib, Reader, check, is_in, is_named, pyatspi, run,
                    says_something, text_of)


# ---- what is tried, in this order


def reads_the_stage(reader):
    stage = reader.find("canvas", "Stage")
    reader.wait("objects on the stage", lambda: stage.childCount > 10)
    things = list(stage)
    for i, thing in enumerate(things):
        check(says_something(thing.name), f"child {i} of the stage has no name")
        check(says_something(thing.description), f"'{thing.name}' is not described")
        check(thing.parent == stage and thing.getIndexInParent() == i, f"'{thing.name}' is not in its place")
        box, all_of_it = (one.queryComponent().getExtents(pyatspi.DESKTOP_COORDS) for one in (thing, stage))
        check(box.width > 0 and box.x + box.width > all_of_it.x and box.x < all_of_it.x + all_of_it.width,
              f"'{thing.name}' is not on the stage")
    for role, name in (("panel", "device R0"), ("panel", "device R1"), ("image", "Weights of R1"),
                       ("image", "layer Conv2D"), ("image", "Training image")):
        check(any(t.getRoleName() == role and t.name.startswith(name) for t in things), f"no {role} '{name} …'")


def chooses_an_object(reader):
    stage = reader.find("canvas", "Stage")
    reader.focus(stage)
    reader.forget()
    reader.key(DOWN)
    reader.hears("the first object has the focus", lambda h: h.kind == "object:state-changed:focused" and h.on
                 and h.source == stage[0])
    check(is_in(stage[0], pyatspi.STATE_SELECTED, pyatspi.STATE_FOCUSED), "it is not selected")
    reader.forget()
    reader.press(stage[1])
    reader.hears("the second one is selected", lambda h: h.kind == "object:state-changed:selected" and h.on
                 and h.source == stage[1])
    reader.key(ESCAPE)


def moves_through_a_step(reader):
    stage = reader.find("canvas", "Stage")
    moments = reader.find("slider", "Moments of the present step")
    device = next(thing for thing in stage if thing.name.startswith("device R0"))
    before, caption = device.name, stage.description
    reader.forget()
    moments.queryValue().currentValue = 60  # the backward pass
    reader.value_changed(moments)
    check(abs(moments.queryValue().currentValue - 60) < 1.5, f"it is at {moments.queryValue().currentValue}")
    reader.hears("the stage's caption", lambda h: h.kind == "object:property-change:accessible-description"
                 and h.source == stage)
    reader.wait("another caption", lambda: stage.description != caption)
    reader.announced(stage.description)
    reader.hears("what the device does", lambda h: h.kind == "object:property-change:accessible-name"
                 and h.source == device)
    reader.wait("another name", lambda: device.name.startswith("device R0") and device.name != before)
    # Gradients travel: their messages come to the stage, and leave it.
    def travelling():
        return [thing for thing in stage if thing.name.startswith("transfer R1")]
    reader.forget()
    moments.queryValue().currentValue = 65  # in the all-reduce, while its first pieces travel
    reader.wait("a transfer of R1", travelling)
    check(travelling()[0].getRoleName() == "animation", "a transfer is no animation")
    reader.hears("a transfer comes to the stage", lambda h: h.kind == "object:children-changed:add" and h.source == stage)
    reader.forget()
    moments.queryValue().currentValue = 0
    reader.hears("it leaves the stage", lambda h: h.kind == "object:children-changed:remove" and h.source == stage)
    reader.wait("the beginning's objects", lambda: not travelling())
    # By key, a beat at a time.
    reader.focus(stage)
    reader.forget()
    reader.key(RIGHT)
    reader.value_changed(moments)
    reader.announced(stage.description)


def goes_to_another_step(reader):
    reader.press(reader.find("check box", "More controls"))
    unit = reader.find("combo box", "Step by")
    check(text_of(unit) == "beat", f"'Step by' says '{text_of(unit)}'")
    reader.focus(unit)
    reader.forget()
    reader.key(DOWN)
    reader.announced("step")
    check(text_of(unit) == "step" and unit.name == "Step by", f"'{unit.name}' says '{text_of(unit)}'")
    steps = reader.find("slider", "Steps of the run")
    reader.forget()
    reader.press(reader.find("push button", "Step forward"))
    reader.value_changed(steps)
    reader.wait("step 2", lambda: steps.queryValue().currentValue == 2 and steps.queryValue().maximumValue >= 2)
    reader.forget()
    steps.queryValue().currentValue = 1
    reader.value_changed(steps)
    check(steps.queryValue().currentValue == 1, "it is not at step 1")


def changes_the_replicas(reader):
    stage = reader.find("canvas", "Stage")
    replicas = reader.find("spin button", "Replicas")
    check(replicas.queryValue().currentValue == 2, "there are not two replicas")
    reader.forget()
    replicas.queryValue().currentValue = 4
    reader.announced("MirroredStrategy", "4 replicas")
    reader.wait("four devices", lambda: sum(thing.name.startswith("device R") for thing in stage) == 4)


def changes_the_strategy(reader):
    stage = reader.find("canvas", "Stage")
    button = reader.find("push button", "Strategy: MirroredStrategy")
    reader.forget()
    reader.press(button)
    # Qt shows no pop-up among the windows: what has the focus now leads to it.
    picker = reader.hears("a strategy has the focus", lambda h: h.kind == "object:state-changed:focused" and h.on
                          and h.role == "radio button").source.parent
    while picker.name != "Strategies":
        picker = picker.parent
    check_names(reader, picker)
    cards = [one for one in reader.all(picker) if one.getRole() == pyatspi.ROLE_RADIO_BUTTON]
    check(len(cards) == 11, f"{len(cards)} strategies to choose from")
    reader.press(next(one for one in cards if "CentralStorage" in one.name))
    reader.hears("the button is called otherwise", lambda h: h.kind == "object:property-change:accessible-name"
                 and h.source == button and "CentralStorage" in h.name)
    reader.announced("CentralStorageStrategy")
    reader.key(ESCAPE)
    reader.wait("its one copy is on the stage", lambda: any(
        thing.getRoleName() == "panel" and "CPU" in thing.name.upper() for thing in stage))


def changes_the_mode(reader):
    stage = reader.find("canvas", "Stage")
    story, live, speed = (reader.find("radio button", name) for name in ("Story", "Live", "1×"))
    check(is_in(story, pyatspi.STATE_CHECKED) and not is_in(live, pyatspi.STATE_CHECKED), "it is not in Story")
    for act, on, off, words in ((lambda: reader.press(live), live, story, "Live"),
                                (lambda: reader.press(story), story, live, "Story"),
                                (lambda: reader.key(LETTER_L), live, story, "Live")):
        reader.focus(stage)
        reader.forget()
        act()
        reader.announced("Mode " + words)
        for one, state in ((on, 1), (off, 0)):
            reader.hears(f"'{one.name}' is {state}", lambda h, one=one, state=state: h.source == one
                         and h.kind == "object:state-changed:checked" and h.on == state)
    check(is_in(speed, pyatspi.STATE_CHECKED), "the speed is not chosen")
    reader.forget()
    reader.key(SPACE)
    reader.announced("Paused")


def meets_names_with_tab(reader):
    reader.focus(reader.find("canvas", "Stage"))
    met = []
    for _ in range(25):
        reader.forget()
        reader.key(TAB)
        to = reader.hears("the focus", lambda h: h.kind == "object:state-changed:focused" and h.on and h.role)
        check(says_something(to.name), f"Tab leads to a {to.role} without a name, after {met}")
        met.append(f"{to.role} '{to.name}'")
    check(len(set(met)) > 15, f"Tab goes in a small circle: {met}")


def check_names(reader, window):
    def path(one):
        steps = []
        while one and one != window and len(steps) < 8:
            steps.append(f"{one.getRoleName()} {one.getIndexInParent()} '{one.name}'")
            one = one.parent
        return " of ".join(steps)

    nameless = [path(one) for one in reader.all(window)
                if is_in(one, pyatspi.STATE_FOCUSABLE) and not is_named(one)]
    check(not nameless, f"in '{window.name}' no name has\n    " + "\n    ".join(nameless))


def every_tab_has_names(reader):
    """Each tab of the panels, as the menu View opens it."""
    view = next(menu for menu in reader.find("menu bar", "") if menu.name == "View")
    for item in view[0]:
        if item.name in ("Setup", "Narration", "Runs", "Trace", "What if", "Try it", "Inspector", "Charts", "Gallery",
                         "Moments", "Glossary", "Quiz"):
            reader.press(item)
            reader.wait(f"the page of the tab '{item.name}' is shown", lambda: any(
                one.getRoleName() == "filler" and one.name == item.name for one in reader.all(reader.window)))
            check_names(reader, reader.window)


def leaves(menu):
    for item in menu:
        if item.childCount:
            yield from leaves(item[0])
        elif says_something(item.name):
            yield item


def every_dialog_has_names(reader):
    """Everything that opens a window: what ends with an ellipsis, and the Help menu."""
    opened, faults = [], []
    for menu in reader.find("menu bar", ""):
        for item in leaves(menu[0]):
            opens = item.name.endswith("…") or (menu.name == "Help" and item.name != "What's this?")
            if item.name in ("Compare with…", "Branch here…", "Change a value…"):  # menus, in the workspace Compare
                continue
            if not opens or not is_in(item, pyatspi.STATE_ENABLED):
                continue
            before = reader.windows()
            reader.act(item, "Press")
            window = reader.wait(f"a window of {item.name}",
                                 lambda: next((w for w in reader.windows() if w not in before), None))
            try:
                check_names(reader, window)
            except Fault as fault:
                faults.append(str(fault))
            check(len(reader.all(window)) > 1, f"{item.name}: there is nothing in its window")
            opened.append(window.name)
            reader.activate(window)
            reader.key(ESCAPE)
            reader.wait(f"'{window.name}' is closed", lambda: len(reader.windows()) == len(before))
    check(not faults, "\n  ".join(faults))
    check(len(opened) >= 14, f"only these were opened: {opened}")


def main():
    reader = Reader([sys.argv[1], "--size", "1500x950"])
    reader.activate(reader.find("status bar", ""))
    reader.wait("the window is active", lambda: is_in(reader.window, pyatspi.STATE_ACTIVE))
    return 1 if run(reader, (reads_the_stage, chooses_an_object, moves_through_a_step, goes_to_another_step,
                             changes_the_replicas, changes_the_strategy, changes_the_mode, meets_names_with_tab,
                             every_tab_has_names, every_dialog_has_names)) else 0


sys.exit(main())
