# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD= -DLIBTORCH= -DLAUNCHER= -DPROJECT= [-DPROGRAM=] [-DFALLS=] -P example.cmake: builds a project on the
# installed library as its user would, and runs its program. FALLS: what the program prints this word before, and whose
# last value has to be below the first.
get_filename_component(name ${PROJECT} NAME)
set(folder ${BUILD}/tests/install/${name})
file(REMOVE_RECURSE ${folder})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${PROJECT} -B ${folder} -G Ninja -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_CXX_FLAGS_DEBUG=-g0 -DCMAKE_PREFIX_PATH=${BUILD}/tests/install/prefix -DBINADE_LIBTORCH=${LIBTORCH}
  -DLIBTORCH=${LIBTORCH} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} --no-warn-unused-cli
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder} -j 2 COMMAND_ERROR_IS_FATAL ANY)
if(PROGRAM)
  execute_process(COMMAND ${folder}/${PROGRAM} OUTPUT_VARIABLE said ECHO_OUTPUT_VARIABLE COMMAND_ERROR_IS_FATAL ANY)
  if(FALLS)
    string(REGEX MATCHALL "${FALLS} [0-9]+\\.?[0-9]*" values "${said}")
    list(LENGTH values count)
    if(count LESS 2)
      message(FATAL_ERROR "${PROGRAM} says ${FALLS} ${count} times, where two or more are needed")
    endif()
    list(GET values 0 first)
    list(GET values -1 last)
    string(REPLACE "${FALLS} " "" first "${first}")
    string(REPLACE "${FALLS} " "" last "${last}")
    if(NOT last LESS first)
      message(FATAL_ERROR "${PROGRAM}: ${FALLS} went from ${first} to ${last}, where training makes it fall")
    endif()
  endif()
endif()
# As Qt Test says it: tests/features.csv names examples this way.
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "PASS   : Example::buildsAndRuns()")
