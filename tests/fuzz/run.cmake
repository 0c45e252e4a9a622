# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DTARGET= -DSEEDS= -DWORK= -DSECONDS= -P run.cmake: runs a fuzz target on a copy of its seeds.
file(REMOVE_RECURSE ${WORK}/corpus)
file(MAKE_DIRECTORY ${WORK}/corpus)
file(GLOB seeds ${SEEDS}/*)
if(seeds)
  file(COPY ${seeds} DESTINATION ${WORK}/corpus)
endif()
execute_process(
  COMMAND ${TARGET} -max_total_time=${SECONDS} -rss_limit_mb=2048 -timeout=25 -print_final_stats=1 corpus
  WORKING_DIRECTORY ${WORK}
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the fuzzer found something: see above, and the crash-* file in ${WORK}")
endif()
