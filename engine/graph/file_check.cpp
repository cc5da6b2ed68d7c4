// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/file_check.h"

#include "engine/formats/error.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace binade::graph {

namespace {

constexpr const char* kHowToMake = "Save the model with torch.jit.script(model).save(FILE) and open that file.";

/// What the first bytes say a file is, where that is something we know and cannot run.
std::optional<std::string> kind_of_other_file(const std::string& head) {
  const auto starts = [&](std::string_view magic) { return head.compare(0, magic.size(), magic) == 0; };
  if (head.size() > 9 && head[8] == '{' && head[6] == 0 && head[7] == 0) {
    return "a safetensors file: it holds tensors, but no code to run";
  }
  if (starts("\x93NUMPY")) return "a NumPy array";
  if (starts("SQLite format 3")) return "a SQLite database (perhaps a run file: open it with binade)";
  if (starts("\x80\x02") || starts("\x80\x03") || starts("\x80\x04") || starts("\x80\x05")) {
    return "a Python pickle, as old versions of torch.save write them";
  }
  if (starts("\x89HDF")) return "an HDF5 file";
  if (starts("\x1f\x8b")) return "a gzip archive";
  if (starts("{")) return "a text file that looks like JSON";
  return std::nullopt;
}

std::string read_head(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw Error(ErrorCode::kBadFile, file + ": there is no such file", "Check the path.");
  }
  if (std::filesystem::is_directory(file, error)) {
    throw Error(ErrorCode::kBadFile, file + " is a folder, not a TorchScript file", kHowToMake);
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorCode::kBadFile, file + " cannot be opened for reading", "Check its permissions.");
  std::string head(128, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return head;
}

/// What a PyTorch archive without TorchScript's records is, as the end of a sentence.
std::string what_archive_it_is(caffe2::serialize::PyTorchStreamReader& reader, bool has_pickle) {
  if (!has_pickle) return " is a ZIP archive, but not one that torch.jit.save wrote";
  auto [data, size] = reader.getRecord("data.pkl");
  const std::string_view pickle(static_cast<const char*>(data.get()), size);
  if (pickle.find("torch.nn.modules") != std::string_view::npos) {
    return " is a pickled Python model (torch.save of the whole model): only Python can run it";
  }
  return " holds tensors saved with torch.save (a state dict or a checkpoint), not a model: there is no code in it to "
         "run";
}

/// Ways in which code in an archive could act beyond computing tensors.
struct Danger {
  const char* text;
  const char* what;
};
constexpr const char* kTrust =
    "Open only models whose author you trust. To use this one, save it again without that code.";
constexpr std::array<Danger, 4> kDangers{{
    {"def __setstate__", "defines __setstate__, which runs while the file is being loaded"},
    {"torch.save(", "calls torch.save, which writes files"},
    {"torch.from_file(", "calls torch.from_file, which maps files into memory"},
    {"__torch__.torch.classes", "uses a custom C++ class"},
}};

/// The same by the ops that a compiler made of a text, however it was written.
struct DangerousOp {
  std::string_view name;  // or a whole namespace, `rpc::`
  const char* what;
};
constexpr std::array<DangerousOp, 5> kDangerousOps{{
    {"aten::save", "calls torch.save, which writes files"},
    {"aten::from_file", "calls torch.from_file, which makes files and maps them into memory"},
    {"rpc::", "calls other machines"},
    {"c10d::", "talks to other processes"},
    {"_c10d_functional::", "talks to other processes"},
}};

const char* danger_of(std::string_view op) {
  for (const DangerousOp& each : kDangerousOps) {
    if (each.name.ends_with("::") ? op.starts_with(each.name) : op == each.name) return each.what;
  }
  return nullptr;
}

void check_block(const torch::jit::Block& block, const std::string& what) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (const char* const danger = danger_of(node->kind().toQualString())) {
      throw Error(ErrorCode::kUnsafe, what + " is refused: it " + danger, kTrust);
    }
    for (const torch::jit::Value* made : node->outputs()) {
      if (!made->type()->repr_str().starts_with("__torch__.torch.classes")) continue;
      throw Error(ErrorCode::kUnsafe, what + " is refused: it uses a custom C++ class", kTrust);
    }
    for (const torch::jit::Block* inner : node->blocks()) check_block(*inner, what);
    for (const c10::Symbol name : node->attributeNames()) {
      if (node->kindOf(name) == torch::jit::AttributeKind::g) check_block(*node->g(name)->block(), what);
    }
  }
}

}  // namespace

void check_ops_touch_no_file(const torch::jit::Graph& graph, const std::string& what) {
  check_block(*graph.block(), what);
}

void check_torchscript_file(const std::string& file) {
  const std::string head = read_head(file);
  if (head.empty()) throw Error(ErrorCode::kBadFile, file + " is empty", kHowToMake);
  if (head.compare(0, 4, "PK\x03\x04") != 0) {
    const std::string kind = kind_of_other_file(head).value_or("not an archive of the kind torch.jit.save writes");
    throw Error(ErrorCode::kBadFile, file + " is not a TorchScript file: it is " + kind, kHowToMake);
  }

  std::optional<caffe2::serialize::PyTorchStreamReader> reader;
  std::vector<std::string> records;
  try {
    reader.emplace(file);
    records = reader->getAllRecords();
  } catch (const std::exception&) {
    // The reader also refuses whole archives whose entries share no folder; the first entry's name stands in the head.
    if (head.find(".npy") != std::string::npos) {
      throw Error(ErrorCode::kBadFile, file + " is not a TorchScript file: it holds NumPy's arrays", kHowToMake);
    }
    throw Error(ErrorCode::kBadFile, file + " is damaged or truncated, or another program's archive",
                "TorchScript's reader finds no directory with a model in it. Copy the file again from where it came "
                "from.");
  }
  const auto has = [&](const char* record) {
    return std::find(records.begin(), records.end(), record) != records.end();
  };
  if (!has("constants.pkl")) {
    throw Error(ErrorCode::kBadFile, file + what_archive_it_is(*reader, has("data.pkl")), kHowToMake);
  }
  for (const std::string& record : records) {
    if (!record.ends_with(".py")) continue;
    auto [data, size] = reader->getRecord(record);
    const std::string_view text(static_cast<const char*>(data.get()), size);
    for (const Danger& danger : kDangers) {
      if (text.find(danger.text) == std::string_view::npos) continue;
      throw Error(ErrorCode::kUnsafe, file + " is refused: " + record + " " + danger.what, kTrust);
    }
  }
}

}  // namespace binade::graph
