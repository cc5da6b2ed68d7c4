// SPDX-License-Identifier: Apache-2.0
// Records the run of the tests and exports it for TensorBoard: write_run RUN.binade FOLDER.
#include "engine/interchange/export_run.h"
#include "tests/interchange/recorded.h"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    binade::test::recordRun(argv[1], binade::test::recordedHistory());
    binade::interchange::export_run(argv[1], binade::interchange::RunTarget::kTensorBoard, argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
