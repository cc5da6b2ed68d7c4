# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=<file> -DIN=<file> -P generate_trial_calls.cmake
# Writes one C++ initializer a line of trial_calls.jsonl. A JSON array is no CMake list: brackets would join lines.

file(READ "${IN}" text)
string(REGEX REPLACE "\n$" "" text "${text}")
string(REPLACE "\n" ")json\",\nR\"json(" text "${text}")
file(WRITE "${OUT}" "// Generated from resources/ops/trial_calls.jsonl.\nR\"json(${text})json\",\n")
