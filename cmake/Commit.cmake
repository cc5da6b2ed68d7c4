# SPDX-License-Identifier: Apache-2.0
# Library binade_commit: the commit that a program is built of (cmake/build_commit.h). Only the programs link it, so a new
# commit compiles one line and relinks two programs.
find_package(Git QUIET)
set(_commit_source ${CMAKE_BINARY_DIR}/generated/build_commit.cpp)
set(_history)
if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  # Git appends to this file whenever HEAD changes.
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE _history OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  cmake_path(ABSOLUTE_PATH _history BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT EXISTS ${_history})
    set(_history)
  endif()
endif()
add_custom_command(OUTPUT ${_commit_source}
  COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${_commit_source}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake ${_history}
  COMMENT "Asking git for the commit" VERBATIM)
add_library(binade_commit STATIC ${_commit_source})
target_include_directories(binade_commit PUBLIC ${PROJECT_SOURCE_DIR})
