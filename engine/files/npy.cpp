// SPDX-License-Identifier: Apache-2.0
#include "engine/files/npy.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>

// The format: \x93NUMPY, two bytes of version, the header's length (2 bytes, from version 2 on 4), the header (a Python
// dict of literals: descr, fortran_order, shape), the elements.

namespace binade::files {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeader = 65535;
constexpr std::size_t kMostDimensions = 64;

struct Dtype {
  std::string_view descr;
  at::ScalarType dtype;
};
constexpr std::array<Dtype, 14> kDtypes{{{"f8", at::kDouble},
                                         {"f4", at::kFloat},
                                         {"f2", at::kHalf},
                                         {"i8", at::kLong},
                                         {"i4", at::kInt},
                                         {"i2", at::kShort},
                                         {"i1", at::kChar},
                                         {"u8", at::kUInt64},
                                         {"u4", at::kUInt32},
                                         {"u2", at::kUInt16},
                                         {"u1", at::kByte},
                                         {"b1", at::kBool},
                                         {"c8", at::kComplexFloat},
                                         {"c16", at::kComplexDouble}}};

struct Header {
  at::ScalarType dtype = at::kFloat;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

/// Reads the Python dict of a header, and nothing else of Python.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  Header parse() {
    Header header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    need('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      need(':');
      if (key == "descr" && !has_descr) {
        header.dtype = dtype();
        has_descr = true;
      } else if (key == "fortran_order" && !has_order) {
        header.fortran = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = shape();
        has_shape = true;
      } else {
        damaged();
      }
      if (!take(',')) {
        need('}');
        break;
      }
    }
    if (!has_descr || !has_order || !has_shape) damaged();
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why, const std::string& hint) const {
    throw Error(ErrorCode::kBadFile, what_ + " " + why, hint);
  }
  [[noreturn]] void damaged() const {
    refuse("is damaged: its header cannot be read", "Save it again with numpy.save.");
  }

  void skip_spaces() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())) != 0) text_.remove_prefix(1);
  }
  bool take(char wanted) {
    skip_spaces();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  void need(char wanted) {
    if (!take(wanted)) damaged();
  }

  std::string_view quoted() {
    skip_spaces();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) damaged();
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) damaged();
    const std::string_view inner = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return inner;
  }

  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    damaged();
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> sizes;
    need('(');
    while (!take(')')) {
      skip_spaces();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0 || sizes.size() == kMostDimensions) damaged();
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      take('L');  // as Python 2 wrote them
      sizes.push_back(size);
      if (!take(',')) {
        need(')');
        break;
      }
    }
    return sizes;
  }

  at::ScalarType dtype() {
    skip_spaces();
    if (text_.starts_with('[')) {
      refuse("contains a structured array (records with named fields)",
             "Save each field as a separate array: numpy.savez(FILE, a=array[\"a\"], b=array[\"b\"]).");
    }
    const std::string_view descr = quoted();
    if (descr.size() < 2) damaged();
    const std::string_view kind = descr.substr(1);
    if (descr.front() == '>' && kind != "u1" && kind != "i1" && kind != "b1") {
      refuse("is big-endian (" + std::string(descr) + ")",
             "Save it again as array.astype(array.dtype.newbyteorder(\"=\")).");
    }
    for (const Dtype& each : kDtypes) {
      if (each.descr == kind) return each.dtype;
    }
    if (kind.front() == 'O') {
      refuse("contains Python objects",
             "Loading Python objects would run code. Save plain numbers: array.astype(\"float32\").");
    }
    refuse("has elements of NumPy type " + std::string(descr) + ", which no tensor dtype matches",
           "Save plain numbers: array.astype(\"float32\"), or (\"int64\") for labels.");
  }

  std::string_view text_;
  const std::string& what_;
};

/// The same elements with the last dimension first.
at::Tensor reversed(const at::Tensor& tensor) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(tensor.dim()));
  std::iota(order.rbegin(), order.rend(), 0);
  return tensor.permute(order);
}

class NpyFile : public ArrayFile {
 public:
  explicit NpyFile(const std::string& file) : names_{array_name(file)}, tensor_(read_npy(map_file(file), file)) {}
  const std::vector<std::string>& names() const override { return names_; }
  std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& /*progress*/) override {
    if (names.empty()) return {};
    return {{names.front(), array_of(tensor_)}};
  }

 private:
  std::vector<std::string> names_;
  at::Tensor tensor_;
};

}  // namespace

at::Tensor read_npy(const Bytes& bytes, const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kBadFile, what + " " + why, "Save it again with numpy.save, or copy it again.");
  };
  const std::string_view text = bytes.text();
  if (text.empty()) refuse("is empty: the program that writes it wrote no data, or is still running");
  if (!text.starts_with(kMagic)) refuse("is not a NumPy array: it does not begin with \\x93NUMPY");
  if (text.size() < 10) refuse("is truncated in its header");
  const auto byte = [&](std::size_t i) { return std::size_t{bytes.view[i]}; };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) refuse("is of .npy version " + std::to_string(version) + "; supported are 1 to 3");
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1 && text.size() >= begin) length |= byte(10) << 16 | byte(11) << 24;
  if (text.size() < begin || length > text.size() - begin) refuse("is truncated in its header");
  if (length > kMostHeader) refuse("is damaged: its header would need " + std::to_string(length) + " bytes");

  Header header = HeaderParser(text.substr(begin, length), what).parse();
  if (header.fortran) std::reverse(header.shape.begin(), header.shape.end());
  const auto size = tensor_bytes(header.shape, c10::elementSize(header.dtype));
  const std::size_t there = text.size() - begin - length;
  if (!size || *size > there) {
    refuse("is truncated: its shape needs " + (size ? std::to_string(*size) : "too many") + " bytes, but only " +
           std::to_string(there) + " are available");
  }
  if (*size < there) refuse("is longer than its header states");
  const Bytes data = bytes.part(begin + length, *size);
  if (header.shape.empty()) return tensor_over(data, header.dtype, {});
  // Never copied, though in an archive it lies at any address.
  const at::Tensor tensor = raw_tensor_over(data, header.dtype, header.shape);
  return header.fortran ? reversed(tensor) : tensor;
}

std::unique_ptr<ArrayFile> open_npy(const std::string& file) {
  return std::make_unique<NpyFile>(file);
}

}  // namespace binade::files
