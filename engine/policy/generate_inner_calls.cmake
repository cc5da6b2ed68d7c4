# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=<file> -DCSV=<file> -P generate_inner_calls.cmake
# Writes one C++ initializer a row of inner_calls.csv: {"_trilinear", "out", "bmm", false},

cmake_minimum_required(VERSION 3.25)  # quoted words are not read as variables

file(STRINGS "${CSV}" lines)
list(POP_FRONT lines header)
set(rows "")
set(number 1)
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(NOT line MATCHES "^([^,]+),([^,]*),([^,]+),(shared|own)$")
    message(FATAL_ERROR "${CSV}:${number}: not `op,overload,calls,kernel on CUDA`: ${line}")
  endif()
  set(own false)
  if(CMAKE_MATCH_4 STREQUAL "own")
    set(own true)
  endif()
  string(APPEND rows "{\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", ${own}},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from resources/ops/inner_calls.csv.\n${rows}")
