# SPDX-License-Identifier: Apache-2.0
# cmake -DGIT=FILE -DSOURCE=FOLDER -DOUT=FILE -P write_commit.cmake: writes the commit of a tree as C++.
cmake_minimum_required(VERSION 3.25)
set(commit "")
# Without this condition, git would name the commit of a repository around an unpacked archive.
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --match "v*" OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT "${commit}" MATCHES "^[A-Za-z0-9.-]+$")
  set(commit unknown)
endif()
file(WRITE ${OUT} "#include \"cmake/build_commit.h\"\n\nconst char* binade::build_commit() { return \"${commit}\"; }\n")
