// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/driver.h"
#include "tests/fuzz/plain_readers.h"

int main(int argc, char** argv) {
  using namespace binade::fuzz;
  return drive(
      {lesson_reader(), policy_reader(), run_description_reader(), run_file_reader(), wire_reader(), zip_reader()},
      argc, argv);
}
