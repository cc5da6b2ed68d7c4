# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=<file> -DIN=<op_names.csv> -P generate_op_names.cmake
# Writes one C++ initializer for each row: {"tf", "conv2d", "Conv2D", "allow"},

file(STRINGS "${IN}" lines)
list(POP_FRONT lines header)
set(rows "")
set(number 1)
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(NOT line MATCHES "^([^,\"]+),([^,\"]+),([^,\"]+),([^,\"]+)$")
    message(FATAL_ERROR "${IN}:${number}: not `program,op,name,list`: ${line}")
  endif()
  string(APPEND rows
    "{\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", \"${CMAKE_MATCH_4}\"},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from resources/targets/op_names.csv.\n${rows}")
