// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what is wrong with a lesson's text. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {
LAB_TEXT(lessonTooLarge, "the text is larger than %1. Split it.");
LAB_TEXT(lessonNotText, "this is not text in UTF-8. Save it as UTF-8.");
LAB_TEXT(lessonNoHead, "no block has begun yet. Begin one before this line: [page NAME].");
LAB_TEXT(lessonBadHead, "a block begins with [KIND] or [KIND NAME], of letters, digits and '-'.");
LAB_TEXT(lessonNoKey, "a line is 'key: value', begins with '#', or begins with spaces to continue the line before.");
LAB_TEXT(lessonUnknownKey, "[%2] has no key '%1'. Remove the line.");
LAB_TEXT(lessonTwice, "'%1' appears twice. Leave one out.");
LAB_TEXT(lessonNumber, "'%1' must be a number from %2 to %3, not '%4'.");
LAB_TEXT(lessonName, "'%1' must be a name of letters, digits and '-', not '%2'.");
LAB_TEXT(lessonLosses, "'losses' can only be 'wrong', not '%1'.");
LAB_TEXT(lessonBadSettings, "'settings' is not valid: %1");
LAB_TEXT(lessonBadCompare, "'compare' is not valid: %1");
LAB_TEXT(lessonTooManyLanes, "'compare' names more than %1 strategies, and there is no room for more.");
LAB_TEXT(lessonFactWord, "name");
LAB_TEXT(lessonSettingWord, "setting");
LAB_TEXT(lessonBeatWord, "beat");
LAB_TEXT(lessonTaskWord, "task");
LAB_TEXT(lessonFaults, "'%1' is not a fault. Write kill, cut or revive, a task, and the step: kill worker 1 in 3.");
LAB_TEXT(verbatimName, "%1");
LAB_TEXT(lessonReplicaNumber, "'%1' is not a replica. Give its number, from 0.");
LAB_TEXT(lessonNeedsArgument, "'%1' needs something in parentheses: %1(…).");
LAB_TEXT(lessonNoArgument, "'%1' is written without parentheses.");
LAB_TEXT(lessonConditionRest, "'%1' is not expected here. Join two conditions with 'and' or 'or'.");
LAB_TEXT(lessonConditionDeep, "the parentheses are nested too deep. Take some out.");
LAB_TEXT(lessonConditionLong, "the condition has more than %1 parts. Leave some out.");
LAB_TEXT(lessonConditionOpen, "a parenthesis is not closed. Close it.");
LAB_TEXT(lessonConditionEnds, "the condition ends too early. Write NAME = VALUE.");
LAB_TEXT(lessonFlagCompared, "'%1' is either true or false. Write it alone, or 'not %1'.");
LAB_TEXT(lessonNotCompared, "'%1' needs a comparison: %1 = VALUE.");
LAB_TEXT(lessonWantsNumber, "'%1' must be a number, not '%2'.");
LAB_TEXT(lessonWordOrder, "'%1' is a word: compare it with = or !=.");
LAB_TEXT(lessonNoLesson, "a lesson begins with [lesson NAME].");
LAB_TEXT(lessonUnknownKind, "[%1] has no place in a lesson. Write [lesson NAME] once, then [page NAME].");
LAB_TEXT(lessonNeedsName, "[%1] needs a name: [%1 NAME].");
LAB_TEXT(lessonNameTwice, "the name '%1' is used twice. Give one of the pages another name.");
LAB_TEXT(lessonNoPages, "the lesson has no page. Add [page NAME].");
LAB_TEXT(lessonMissing, "[%1] has no '%2'. Add it.");
LAB_TEXT(lessonEmpty, "'%1' is empty. Write something, or take it out.");
LAB_TEXT(lessonLanguage, "'%1' is missing in the language '%2'. Add %1[%2].");
LAB_TEXT(lessonLanguages, "the lesson has more than %1 languages. Leave some out.");
LAB_TEXT(lessonNothingToDo, "the page has nothing to do. Add 'until' or 'ask'.");
LAB_TEXT(lessonNoRight, "the question has no right answer among two or more. Add 'right' and 'wrong'.");
LAB_TEXT(lessonBadUntil, "'%1': %2");
LAB_TEXT(lessonBadValue, "'{%1}' in a text: %2");
LAB_TEXT(lessonNoSuchPage, "no page '%1' asks a question. Name one that does.");
LAB_TEXT(lessonRange, "'%1' must be two numbers, the smaller one first: 0 to 10.");
LAB_TEXT(lessonPoint, "'point' must be 'object NAME', 'control NAME' or 'tab NAME', not '%1'.");
LAB_TEXT(lessonCurve, "'curve' must be loss or accuracy, not '%1'.");
LAB_TEXT(lessonFeedback, "'feedback' follows the answer that it belongs to.");
LAB_TEXT(lessonNotThere,
         "no lesson is called '%1', and there is no such file. Built in are: %2. To use your own lesson, give its "
         "file, with folder and .lesson.");
LAB_TEXT(lessonNotRead, "'%1', line %2: %3");
}  // namespace lab::say
