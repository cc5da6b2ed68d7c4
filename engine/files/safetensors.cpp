// SPDX-License-Identifier: Apache-2.0
#include "engine/files/safetensors.h"

#include "engine/files/atomic_file.h"
#include "engine/files/bytes.h"
#include "engine/files/mapped_file.h"
#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/graph/dtype_name.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <set>
#include <string_view>

// The format: 8 bytes little-endian length of the header, the header (JSON: name -> dtype, shape, data_offsets; padded
// with spaces to 8 bytes), the tensors' bytes row-major, gap-free. https://github.com/huggingface/safetensors

namespace binade::files {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors requires little-endian numbers");

using nlohmann::json;
constexpr std::size_t kPrefix = 8;
constexpr std::size_t kMostHeader = 100'000'000;  // the format's own bound
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kChecksums = "crc32";
constexpr const char* kHeaderChecksum = "crc32_header";
constexpr std::string_view kNoDigits = "00000000";
// As written by nlohmann::json; quotes inside names and values are escaped.
constexpr std::string_view kBeforeDigits = "\"crc32_header\":\"";

struct StoredDtype {
  std::string_view name;
  at::ScalarType dtype;
};
constexpr std::array<StoredDtype, 16> kStoredDtypes{{{"F64", at::kDouble},
                                                     {"F32", at::kFloat},
                                                     {"F16", at::kHalf},
                                                     {"BF16", at::kBFloat16},
                                                     {"F8_E4M3", at::kFloat8_e4m3fn},
                                                     {"F8_E5M2", at::kFloat8_e5m2},
                                                     {"F8_E8M0", at::kFloat8_e8m0fnu},
                                                     {"I64", at::kLong},
                                                     {"I32", at::kInt},
                                                     {"I16", at::kShort},
                                                     {"I8", at::kChar},
                                                     {"U64", at::kUInt64},
                                                     {"U32", at::kUInt32},
                                                     {"U16", at::kUInt16},
                                                     {"U8", at::kByte},
                                                     {"BOOL", at::kBool}}};
constexpr StoredDtype kComplex{"C64", at::kComplexFloat};

std::optional<at::ScalarType> dtype_of(std::string_view name) {
  if (name == kComplex.name) return kComplex.dtype;
  for (const StoredDtype& each : kStoredDtypes) {
    if (each.name == name) return each.dtype;
  }
  return std::nullopt;
}

std::optional<std::string_view> name_of(at::ScalarType dtype) {
  if (dtype == kComplex.dtype) return kComplex.name;
  for (const StoredDtype& each : kStoredDtypes) {
    if (each.dtype == dtype) return each.name;
  }
  return std::nullopt;
}

std::uint32_t checksum(const void* data, std::size_t size, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(data), size));
}

/// Always eight digits.
std::string digits_of(std::uint32_t sum) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", sum);
  return text.data();
}

/// Checksum of length and header, with its own digits as zeros.
std::string header_checksum(std::string_view header) {
  const auto length = static_cast<std::uint64_t>(header.size());
  return digits_of(checksum(header.data(), header.size(), checksum(&length, sizeof length)));
}

class FileReader {
 public:
  /// How tensors are handled. `kMap`: neither copied (raw_tensor_over()) nor read.
  enum class Tensors { kRead, kMap, kNone };
  FileReader(const std::string& file, Tensors tensors) : file_(file), wanted_(tensors), bytes_(map_file(file)) {}

  Safetensors read() {
    json header = parse_header();
    Safetensors all;
    if (const auto found = header.find(kMetadata); found != header.end()) {
      all.metadata = metadata(*found);
      header.erase(found);
    }
    const json checksums = take_checksums(all);
    std::vector<std::pair<std::size_t, std::size_t>> taken;
    for (const auto& [name, entry] : header.items()) {
      const at::Tensor read = tensor(name, entry, taken);
      if (wanted_ != Tensors::kNone) all.tensors.emplace(name, read);
      if (all.has_checksums && wanted_ == Tensors::kRead) check_tensor(name, taken.back(), checksums);
    }
    check_gap_free(std::move(taken));
    check_mapped(file_);
    return all;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::kBadFile, file_ + " " + why, "Copy or save it again; it should be a safetensors file.");
  }
  [[noreturn]] void refuse(const std::string& tensor, const std::string& why) const {
    refuse("is damaged: the tensor \"" + formats::printable(tensor) + "\" " + why);
  }

  json parse_header() {
    if (bytes_.size() < kPrefix)
      refuse("is not a safetensors file: it has " + std::to_string(bytes_.size()) + " bytes");
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kPrefix; ++i) length |= std::uint64_t{bytes_.view[i]} << (8 * i);
    if (length > kMostHeader)
      refuse("is not a safetensors file: its header would need " + std::to_string(length) + " bytes");
    if (length > bytes_.size() - kPrefix) {
      refuse("is truncated: its header needs " + std::to_string(length) + " bytes, but only " +
             std::to_string(bytes_.size() - kPrefix) + " are available");
    }
    data_ = bytes_.part(kPrefix + length, bytes_.size() - kPrefix - length);
    header_ = bytes_.part(kPrefix, length).text();
    const std::string_view text = header_;
    if (!text.starts_with('{')) refuse("is not a safetensors file: its header is not a JSON object");
    std::vector<std::set<std::string>> open;
    const auto once = [&](int, json::parse_event_t event, json& parsed) {
      if (event == json::parse_event_t::object_start) open.emplace_back();
      if (event == json::parse_event_t::object_end) open.pop_back();
      if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
        refuse("is damaged: its header names \"" + formats::printable(parsed.get<std::string>()) + "\" twice");
      }
      return true;
    };
    try {
      return json::parse(text, once);
    } catch (const json::exception&) {
      refuse("is damaged: its header is not JSON");
    }
  }

  std::map<std::string, std::string> metadata(const json& object) const {
    std::map<std::string, std::string> read;
    if (!object.is_object()) refuse("is damaged: its metadata is not an object");
    for (const auto& [key, value] : object.items()) {
      if (!value.is_string()) refuse("is damaged: its metadata \"" + formats::printable(key) + "\" is not a string");
      read.emplace(key, value.get<std::string>());
    }
    return read;
  }

  /// Removes the checksums from the metadata, and verifies the header.
  json take_checksums(Safetensors& all) const {
    const auto of_header = all.metadata.find(kHeaderChecksum);
    const auto of_tensors = all.metadata.find(kChecksums);
    if (of_header == all.metadata.end() || of_tensors == all.metadata.end()) return {};
    std::string header(header_);
    const std::size_t at = header.find(kBeforeDigits);
    if (at == std::string::npos) refuse("is damaged: its header and its checksum were written by different programs");
    header.replace(at + kBeforeDigits.size(), kNoDigits.size(), kNoDigits);
    if (header_checksum(header) != of_header->second) refuse("is damaged: its header does not match its checksum");
    json checksums = json::parse(of_tensors->second, nullptr, /*allow_exceptions=*/false);
    if (!checksums.is_object()) refuse("is damaged: the checksums of its tensors cannot be read");
    all.metadata.erase(of_header);
    all.metadata.erase(of_tensors);
    all.has_checksums = true;
    return checksums;
  }

  void check_tensor(const std::string& name, std::pair<std::size_t, std::size_t> place, const json& checksums) const {
    const auto found = checksums.find(name);
    if (found == checksums.end() || !found->is_string()) refuse(name, "has no checksum, but others have one");
    const Bytes data = data_.part(place.first, place.second - place.first);
    if (digits_of(checksum(data.view.data(), data.size())) == found->get_ref<const std::string&>()) return;
    check_mapped(file_);
    refuse(name, "does not match its checksum");
  }

  std::vector<std::int64_t> numbers(const std::string& name, const json& entry, const char* field) const {
    const auto found = entry.find(field);
    if (found == entry.end() || !found->is_array()) refuse(name, std::string("has no list \"") + field + "\"");
    std::vector<std::int64_t> all;
    for (const json& each : *found) {
      if (!each.is_number_unsigned() || each.get<std::uint64_t>() > std::uint64_t{1} << 62) {
        // A text of a value inside of values, millions of levels deep, would exhaust the stack.
        refuse(name, std::string("has a \"") + field +
                         "\" that is not a size: " + (each.is_structured() ? each.type_name() : each.dump()));
      }
      all.push_back(each.get<std::int64_t>());
    }
    return all;
  }

  at::Tensor tensor(const std::string& name, const json& entry,
                    std::vector<std::pair<std::size_t, std::size_t>>& taken) const {
    if (!entry.is_object()) refuse(name, "is not described by an object");
    const auto dtype_field = entry.find("dtype");
    if (dtype_field == entry.end() || !dtype_field->is_string()) refuse(name, "has no dtype");
    const auto dtype = dtype_of(dtype_field->get_ref<const std::string&>());
    if (!dtype) refuse(name, "has the dtype " + dtype_field->get<std::string>() + ", which is not supported");
    const auto shape = numbers(name, entry, "shape");
    const auto offsets = numbers(name, entry, "data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1]) refuse(name, "has no valid pair of data_offsets");
    const auto begin = static_cast<std::size_t>(offsets[0]);
    const auto end = static_cast<std::size_t>(offsets[1]);
    const auto size = tensor_bytes(shape, c10::elementSize(*dtype));
    if (!size || *size != end - begin) {
      refuse(name, "needs " + std::to_string(end - begin) + " bytes, which does not match its shape and dtype");
    }
    if (end > data_.size()) {
      refuse("is truncated: the tensor \"" + formats::printable(name) + "\" ends at byte " + std::to_string(end) +
             " of the data, which has " + std::to_string(data_.size()));
    }
    taken.emplace_back(begin, end);
    const Bytes data = data_.part(begin, end - begin);
    if (wanted_ == Tensors::kNone) return {};
    const bool raw = wanted_ == Tensors::kMap && !shape.empty();
    return raw ? raw_tensor_over(data, *dtype, shape) : tensor_over(data, *dtype, shape);
  }

  /// The format forbids gaps and overlaps; bytes outside of tensors could hide data.
  void check_gap_free(std::vector<std::pair<std::size_t, std::size_t>> taken) const {
    std::sort(taken.begin(), taken.end());
    std::size_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (begin != at) refuse("is damaged: its tensors are not contiguous at byte " + std::to_string(at));
      at = end;
    }
    if (at != data_.size()) {
      refuse("is damaged: " + std::to_string(data_.size() - at) + " bytes at its end belong to no tensor");
    }
  }

  const std::string& file_;
  const Tensors wanted_;
  Bytes bytes_;
  std::string_view header_;
  Bytes data_;
};

struct Planned {
  std::string name;
  at::Tensor tensor;
  std::string_view dtype;
};

/// Largest elements first, so that each tensor is aligned; then by name, so that equal content gives equal bytes.
std::vector<Planned> planned(const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  std::vector<Planned> all;
  std::set<std::string> names{kMetadata};
  for (const auto& [name, tensor] : tensors) {
    const auto refuse = [&name = name](const std::string& why) {
      throw Error(ErrorCode::kUsage, "The tensor \"" + name + "\" cannot be stored in a safetensors file: " + why);
    };
    if (!names.insert(name).second) refuse("its name is already used");
    if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.is_quantized()) refuse("it is not dense");
    const auto dtype = name_of(tensor.scalar_type());
    if (!dtype) refuse("there is no " + graph::dtype_name(tensor.scalar_type()) + " in the format");
    all.push_back({name, tensor.detach(), *dtype});
  }
  std::sort(all.begin(), all.end(), [](const Planned& a, const Planned& b) {
    const auto size_a = a.tensor.element_size();
    const auto size_b = b.tensor.element_size();
    return size_a != size_b ? size_a > size_b : a.name < b.name;
  });
  return all;
}

using Metadata = std::map<std::string, std::string>;

std::string header_of(const std::vector<Planned>& tensors, const Metadata& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  header[kMetadata] = metadata;
  std::size_t at = 0;
  for (const Planned& each : tensors) {
    const std::size_t end = at + each.tensor.nbytes();
    header[each.name] = {{"dtype", each.dtype}, {"shape", each.tensor.sizes().vec()}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

/// Returns the header with the tensors' checksums, and its own if `whole`; zeros in its place have the same length.
std::string header_with(const std::vector<Planned>& tensors, Metadata metadata, const std::vector<std::string>& sums,
                        bool whole) {
  json checksums = json::object();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    checksums[tensors[i].name] = sums[i];
  }
  metadata[kChecksums] = checksums.dump(-1, ' ', false, json::error_handler_t::replace);
  metadata[kHeaderChecksum] = kNoDigits;
  const std::string header = header_of(tensors, metadata);
  if (!whole) return header;
  metadata[kHeaderChecksum] = header_checksum(header);
  return header_of(tensors, metadata);
}

}  // namespace

Safetensors read_safetensors(const std::string& file) {
  return FileReader(file, FileReader::Tensors::kRead).read();
}

Safetensors map_safetensors(const std::string& file) {
  return FileReader(file, FileReader::Tensors::kMap).read();
}

Safetensors read_safetensors_header(const std::string& file) {
  return FileReader(file, FileReader::Tensors::kNone).read();
}

void write_safetensors(const std::string& file, const std::vector<std::pair<std::string, at::Tensor>>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  const std::vector<Planned> all = planned(tensors);
  const std::string blank =
      header_with(all, metadata, std::vector<std::string>(all.size(), std::string(kNoDigits)), false);
  AtomicFile out(file);
  const auto length = static_cast<std::uint64_t>(blank.size());
  out.write(&length, sizeof length);
  out.write(blank.data(), blank.size());
  std::vector<std::string> sums;
  for (const Planned& each : all) {
    // One tensor at a time: a host copy of the whole model may not fit.
    const at::Tensor home = each.tensor.cpu().resolve_conj().resolve_neg().contiguous();
    out.write(home.const_data_ptr(), home.nbytes());
    sums.push_back(digits_of(checksum(home.const_data_ptr(), home.nbytes())));
  }
  const std::string header = header_with(all, metadata, sums, true);
  out.write_over(sizeof length, header.data(), header.size());
  out.commit();
}

}  // namespace binade::files
