// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of this folder: files, tables, names. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(cannotWrite,
         "cannot write '%1': %2. Check that the folder exists, may be written to and has room, or name another file.");
LAB_TEXT(fileIsFolder, "'%1' is a folder, not a file. Name a file inside it.");
LAB_TEXT(fileIsSpecial, "'%1' is a pipe or a device, which is not read here. Name a file.");
LAB_TEXT(cannotStart, "cannot start %1: %2. Check whether it is installed and may be run.");
LAB_TEXT(noSharedMemory,
         "memory cannot be shared with a program that was started: %1. Close other programs, and start again.");
LAB_TEXT(cannotOpen, "cannot open '%1': %2. Check the name and the permissions.");
LAB_TEXT(fileTooLarge, "'%1' is larger than %2, larger than any valid file of its kind. Name the right file.");
LAB_TEXT(readingFailed, "reading '%1' failed: %2. Check the disk.");
LAB_TEXT(cannotWriteFolder, "cannot write '%1': it is a folder. Name a file.");

LAB_TEXT(jsonTooDeep,
         "%1: the JSON is nested deeper than %2 levels. Use a file that this program, or another that follows the "
         "format, has written.");
LAB_TEXT(jsonKeyTwice, "%1: the key '%2' appears twice in one object. Remove one of the two.");

LAB_TEXT(csvCells,
         "does not have as many cells as the header: %1 and not %2. Give each column one cell, and quote cells that "
         "hold a comma.");
LAB_TEXT(csvBehindQuote, "continues after a closing quote. Put a comma between two cells.");
LAB_TEXT(csvQuoteInside, "has a quote inside a cell. Quote the whole cell and double the quotes in it.");
LAB_TEXT(csvQuoteOpen, "begins a quoted cell that never ends. Close the quote.");
LAB_TEXT(csvRow, "'%1', line %2: the row %3");
LAB_TEXT(csvTooLarge, "'%1' is larger than 16 MiB, too large for a table of this kind. Name another file.");

LAB_TEXT(checksumRefused,
         "this system's OpenSSL refuses to compute %1 checksums. Allow it in OpenSSL's configuration, or compare the "
         "files by other means.");

LAB_TEXT(verbatim, "%1");
LAB_TEXT(aboutOption, "%1: %2");
LAB_TEXT(inFile, "'%1'");
LAB_TEXT(inLine, "'%1', line %2");
LAB_TEXT(notJson, "%1: not valid JSON. The file is damaged or of another kind; get it again or name another one.");
LAB_TEXT(notJsonAt,
         "%1: not valid JSON at byte %2. The file is damaged or of another kind; get it again or name another one.");
LAB_TEXT(unknownName, "unknown %1 '%2'. One of: %3");
LAB_TEXT(unknownNameNear, "unknown %1 '%2': did you mean '%3'? One of: %4");

LAB_TEXT(nameOneOfThese, "%1. Name one of these.");
LAB_TEXT(aboutFile, "'%1': %2");

}  // namespace lab::say
