# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUTPUT, a header that says which revision of SOURCE is being built; untouched where it has not changed, so that
# nothing is compiled anew. Empty where the sources are no git repository, or lie in another one's folder.
execute_process(COMMAND git -c safe.directory=* -C ${SOURCE} rev-parse --show-prefix
                OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -c safe.directory=* -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT "${folder}" STREQUAL "")
  set(revision "")
endif()
set(text "// Made by app/revision.cmake.\n#define STRATEGYLAB_REVISION \"${revision}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
