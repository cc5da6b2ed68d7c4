# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE= -DBUILD= [-DBUILT=ON] -P explorer_alone.cmake: -DBINADE_ENGINE=OFF configures, and names no LibTorch in
# what it would compile and link. With BUILT, the explorer is also built and started.
set(folder ${BUILD}/tests/install/explorer_alone)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=BINADE_LIBTORCH
  ${CMAKE_COMMAND} -S ${SOURCE} -B ${folder} -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBINADE_ENGINE=OFF
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${folder}/build.ninja torch REGEX "libtorch(_cpu)?\\.so|libc10|torch/(csrc|include)")
if(torch)
  message(FATAL_ERROR "The explorer alone names LibTorch: ${torch}")
endif()
file(STRINGS ${folder}/build.ninja program REGEX "^build bin/binade:")
if(NOT program)
  message(FATAL_ERROR "The explorer alone has no program binade")
endif()
if(NOT BUILT)
  return()
endif()

execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder} --target binade OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen ${folder}/bin/binade --version
  OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "^binade [0-9]")
  message(FATAL_ERROR "The explorer alone says: ${version}")
endif()
execute_process(COMMAND ldd ${folder}/bin/binade OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
if(libraries MATCHES "libtorch|libc10" OR NOT libraries MATCHES "libQt6Widgets")
  message(FATAL_ERROR "The explorer alone needs ${libraries}")
endif()
