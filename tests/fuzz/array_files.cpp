// SPDX-License-Identifier: Apache-2.0
#include "engine/files/array_file.h"
#include "engine/files/idx_file.h"
#include "engine/files/safetensors.h"
#include "tests/fuzz/archive_damage.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/torch_readers.h"
#include "tests/support/places.h"

#include <ATen/ops/arange.h>

namespace binade::fuzz {

namespace {

/// Larger arrays are compared by name, type and shape only.
constexpr std::int64_t kMostElements = 100'000;

std::string text_of(const std::string& name, const at::Tensor& tensor) {
  std::string text = name + ' ' + c10::toString(tensor.scalar_type());
  for (const std::int64_t size : tensor.sizes()) text += ' ' + std::to_string(size);
  if (tensor.numel() > 0 && tensor.numel() <= kMostElements) {
    const at::Tensor whole = tensor.contiguous();
    text.append(static_cast<const char*>(whole.const_data_ptr()), whole.nbytes());
  }
  return text + '\n';
}

/// Every array of a file, every row of it as a batch has it.
std::string arrays_of(const std::string& path) {
  const auto file = files::open_arrays(path);
  const std::vector<std::string> names = file->names();
  std::string text;
  for (const auto& [name, array] : file->read(names)) {
    std::int64_t elements = array.shape.empty() ? 0 : 1;
    for (const std::int64_t size : array.shape) {
      if (size == 0 || elements > kMostElements) break;
      elements *= size;
    }
    if (elements == 0 || elements > kMostElements || array.rows() == 0) {
      text += name + '\n';
      continue;
    }
    text += text_of(name, files::take_rows(array, at::arange(array.rows(), at::kLong)));
  }
  return text;
}

std::vector<std::string> arrays_named(const std::vector<const char*>& names) {
  std::vector<std::string> contents;
  for (const char* name : names) contents.push_back(read_file(std::string(BINADE_TEST_DATA "/") + name));
  return contents;
}

std::string read_csv(const std::string& bytes) {
  return arrays_of(write_input(".csv", bytes));
}

std::string read_idx_file(const std::string& bytes) {
  return text_of("pictures", files::read_idx(write_input(".idx", bytes)));
}

std::string read_npy_file(const std::string& bytes) {
  return arrays_of(write_input(".npy", bytes));
}

std::string read_npz(const std::string& bytes) {
  return arrays_of(write_input(".npz", bytes));
}

/// As data, where nothing is verified, and as a checkpoint or weights, with the checksums that we write.
std::string read_safetensors_file(const std::string& bytes) {
  const std::string path = write_input(".safetensors", bytes);
  static_cast<void>(arrays_of(path));
  std::string text;
  const files::Safetensors contents = files::read_safetensors(path);
  for (const auto& [name, tensor] : contents.tensors) text += text_of(name, tensor);
  return text;
}

std::string read_torch_save(const std::string& bytes) {
  return arrays_of(write_input(".pt", bytes));
}

std::vector<std::string> valid_csv() {
  return arrays_named({"journeys/commas.csv", "journeys/semicolons.csv"});
}

std::vector<std::string> valid_idx() {
  return arrays_named({"journeys/idx/t10k-images-idx3-ubyte", "journeys/idx/t10k-labels-idx1-ubyte",
                       "journeys/idx-packed/t10k-images-idx3-ubyte.gz",
                       "journeys/idx-packed/t10k-labels-idx1-ubyte.gz"});
}

std::vector<std::string> valid_npy() {
  return arrays_named({"arrays/b1.npy", "arrays/c8.npy", "arrays/f2.npy", "arrays/f4.npy", "arrays/f8.npy",
                       "arrays/fortran.npy", "arrays/i8.npy", "arrays/u1.npy", "arrays/version2.npy",
                       "arrays/version3.npy"});
}

std::vector<std::string> valid_npz() {
  return arrays_named({"arrays/plain.npz", "arrays/packed.npz", "journeys/plain.npz"});
}

std::vector<std::string> valid_safetensors() {
  return arrays_named({"arrays/python.safetensors", "arrays/state_dict.safetensors", "journeys/set.safetensors"});
}

std::vector<std::string> valid_torch_files() {
  return arrays_named(
      {"arrays/everything.pt", "arrays/tensor.pt", "arrays/protocol4.pt", "arrays/state_dict.pth", "journeys/set.bin"});
}

}  // namespace

const Reader& csv_reader() {
  static const Reader reader{"csv", ".csv", "input.csv", valid_csv, read_csv, damaged_bytes};
  return reader;
}

const Reader& idx_reader() {
  static const Reader reader{"idx", ".idx", "input.idx", valid_idx, read_idx_file, damaged_bytes};
  return reader;
}

const Reader& npy_reader() {
  static const Reader reader{"npy", ".npy", "input.npy", valid_npy, read_npy_file, damaged_bytes};
  return reader;
}

const Reader& npz_reader() {
  static const Reader reader{"npz", ".npz", "input.npz", valid_npz, read_npz, damaged_archive};
  return reader;
}

const Reader& safetensors_reader() {
  static const Reader reader{"safetensors",     ".safetensors",        "input.safetensors",
                             valid_safetensors, read_safetensors_file, damaged_bytes};
  return reader;
}

const Reader& torch_file_reader() {
  static const Reader reader{"torch_file", ".pt", "input.pt", valid_torch_files, read_torch_save, damaged_archive};
  return reader;
}

int one_csv(const std::uint8_t* data, std::size_t size) {
  return one(csv_reader(), data, size);
}

int one_idx(const std::uint8_t* data, std::size_t size) {
  return one(idx_reader(), data, size);
}

int one_npy(const std::uint8_t* data, std::size_t size) {
  return one(npy_reader(), data, size);
}

int one_npz(const std::uint8_t* data, std::size_t size) {
  return one(npz_reader(), data, size);
}

int one_safetensors(const std::uint8_t* data, std::size_t size) {
  return one(safetensors_reader(), data, size);
}

int one_torch_file(const std::uint8_t* data, std::size_t size) {
  return one(torch_file_reader(), data, size);
}

}  // namespace binade::fuzz
