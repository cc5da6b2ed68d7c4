// SPDX-License-Identifier: Apache-2.0
#include "engine/files/pickle.h"

#include "tests/fuzz/input_file.h"
#include "tests/fuzz/torch_readers.h"
#include "tests/graph/zip_records.h"
#include "tests/support/places.h"

#include <memory>

namespace binade::fuzz {

namespace {

const std::string kPickle = "input.pkl";
// Sizes of the storages that the valid pickles name, in bytes.
constexpr std::size_t kFirstStorage = 96;
constexpr std::size_t kOtherStorages = 32;

files::Bytes bytes_of(std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {owner, {reinterpret_cast<const std::uint8_t*>(owner->data()), owner->size()}};
}

std::string read_pickle_stream(const std::string& bytes) {
  const auto storage = [](const std::string& key) {
    return bytes_of(std::string(key == "0" ? kFirstStorage : kOtherStorages, '\1'));
  };
  const files::Pickle pickle = files::read_pickle(bytes_of(bytes), storage, kPickle);
  std::string text;
  for (const auto& [path, tensor] : files::tensors_in(pickle, kPickle)) {
    text += path + ' ' + c10::toString(tensor.scalar_type()) + ' ' + std::to_string(tensor.numel()) + '\n';
    // Reads to the last element: it must be inside of its storage.
    if (tensor.numel() > 0 && tensor.numel() <= 4096) {
      const at::Tensor whole = tensor.contiguous();
      text.append(static_cast<const char*>(whole.const_data_ptr()), whole.nbytes());
    }
  }
  return text;
}

/// The pickles of files of torch.save.
std::vector<std::string> valid_pickles() {
  std::vector<std::string> all;
  for (const char* name : {"tensor.pt", "protocol3.pt", "protocol4.pt", "protocol5.pt"}) {
    for (const test::ZipRecord& record : test::read_zip(std::string(BINADE_TEST_DATA "/arrays/") + name)) {
      if (record.name.ends_with("data.pkl")) all.push_back(record.bytes);
    }
  }
  return all;
}

}  // namespace

const Reader& pickle_reader() {
  static const Reader reader{"pickle", ".pkl", kPickle, valid_pickles, read_pickle_stream, damaged_bytes};
  return reader;
}

int one_pickle(const std::uint8_t* data, std::size_t size) {
  return one(pickle_reader(), data, size);
}

}  // namespace binade::fuzz
