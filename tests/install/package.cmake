# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE= -DBUILD= -P package.cmake: installs the library, and looks at what a user includes.
set(installed ${BUILD}/tests/install/prefix)
file(REMOVE_RECURSE ${installed})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${installed}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# It is all there, and needs nothing that only the build has.
file(GLOB_RECURSE headers ${installed}/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} leaks REGEX "#include.*(nlohmann|spdlog|CLI11|sqlite|Q[A-Z])")
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
file(GLOB_RECURSE files ${installed}/lib/cmake/*)
foreach(file IN LISTS files)
  file(STRINGS ${file} leaks REGEX "^[^#]*(NDEBUG|nlohmann|${SOURCE}|${BUILD})")
  if(leaks)
    message(FATAL_ERROR "${file} leaks: ${leaks}")
  endif()
endforeach()
