# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE= -DBUILD= -P without_libtorch.cmake: a missing LibTorch is said plainly.
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=BINADE_LIBTORCH
  ${CMAKE_COMMAND} -S ${SOURCE}/examples/mixed_precision -B ${BUILD}/tests/install/without -G Ninja
  -DCMAKE_PREFIX_PATH=${BUILD}/tests/install/prefix RESULT_VARIABLE result ERROR_VARIABLE error OUTPUT_QUIET)
if(result EQUAL 0 OR NOT error MATCHES "BINADE_LIBTORCH")
  message(FATAL_ERROR "Without LibTorch the package says: ${error}")
endif()
