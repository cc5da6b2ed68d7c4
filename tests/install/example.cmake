# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD= -DLIBTORCH= -DLAUNCHER= -DPROJECT= [-DPROGRAM=] -P example.cmake: builds a project on the installed
# library as its user would, and runs its program.
get_filename_component(name ${PROJECT} NAME)
set(folder ${BUILD}/tests/install/${name})
file(REMOVE_RECURSE ${folder})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${PROJECT} -B ${folder} -G Ninja -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_CXX_FLAGS_DEBUG=-g0 -DCMAKE_PREFIX_PATH=${BUILD}/tests/install/prefix -DBINADE_LIBTORCH=${LIBTORCH}
  -DLIBTORCH=${LIBTORCH} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} --no-warn-unused-cli
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder} -j 2 COMMAND_ERROR_IS_FATAL ANY)
if(PROGRAM)
  execute_process(COMMAND ${folder}/${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
endif()
# As Qt Test says it: tests/features.csv names examples this way.
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "PASS   : Example::buildsAndRuns()")
