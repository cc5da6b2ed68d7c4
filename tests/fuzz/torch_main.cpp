// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/driver.h"
#include "tests/fuzz/torch_readers.h"

int main(int argc, char** argv) {
  using namespace binade::fuzz;
  return drive({csv_reader(), idx_reader(), npy_reader(), npz_reader(), pickle_reader(), safetensors_reader(),
                torch_file_reader(), torchscript_reader()},
               argc, argv);
}
