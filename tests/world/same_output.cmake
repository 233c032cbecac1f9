# runs FIRST and SECOND and fails unless both print the same
execute_process(COMMAND ${FIRST} OUTPUT_VARIABLE first RESULT_VARIABLE status1)
execute_process(COMMAND ${SECOND} OUTPUT_VARIABLE second RESULT_VARIABLE status2)
if(NOT "${status1}${status2}" STREQUAL "00" OR first STREQUAL "" OR NOT first STREQUAL second)
  message(FATAL_ERROR "first (${status1}): ${first}second (${status2}): ${second}")
endif()
message("both: ${first}")
