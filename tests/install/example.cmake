# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE= -DBUILD= -DLIBTORCH= -DLAUNCHER= -P example.cmake
set(installed ${BUILD}/tests/install/prefix)
set(example ${BUILD}/tests/install/example)
file(REMOVE_RECURSE ${installed} ${example})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${installed}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# What a user includes is all there, and needs nothing that only the build has.
file(GLOB_RECURSE headers ${installed}/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} leaks REGEX "#include.*(nlohmann|spdlog|CLI11|sqlite)")
  if(leaks)
    message(FATAL_ERROR "${header} leaks a dependency: ${leaks}")
  endif()
  file(STRINGS ${header} ours REGEX "#include \"engine/")
  foreach(line IN LISTS ours)
    string(REGEX REPLACE ".*\"(.*)\".*" "\\1" needed "${line}")
    if(NOT EXISTS ${installed}/include/binade/${needed})
      message(FATAL_ERROR "${header} needs ${needed}, which is not installed")
    endif()
  endforeach()
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/examples/mixed_precision -B ${example} -G Ninja
  -DCMAKE_PREFIX_PATH=${installed} -DBINADE_LIBTORCH=${LIBTORCH} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${example} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${example}/mixed_precision COMMAND_ERROR_IS_FATAL ANY)

# A missing LibTorch is said plainly.
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=BINADE_LIBTORCH
  ${CMAKE_COMMAND} -S ${SOURCE}/examples/mixed_precision -B ${example}-without -G Ninja
  -DCMAKE_PREFIX_PATH=${installed} RESULT_VARIABLE result ERROR_VARIABLE error OUTPUT_QUIET)
if(result EQUAL 0 OR NOT error MATCHES "BINADE_LIBTORCH")
  message(FATAL_ERROR "Without LibTorch the package says: ${error}")
endif()
