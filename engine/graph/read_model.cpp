// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/read_model.h"

#include "engine/formats/error.h"
#include "engine/graph/code_check.h"
#include "engine/graph/graph_check.h"
#include "engine/graph/large_stack.h"
#include "engine/graph/model_pickle.h"
#include "engine/graph/model_values.h"
#include "engine/graph/source_ranges.h"
#include "engine/graph/unsafe_code.h"

#include <caffe2/serialize/versions.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/operator_upgraders/upgraders_entry.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

constexpr const char* kCode = "code/";
constexpr const char* kEnding = ".py";

class ModuleReader {
 public:
  explicit ModuleReader(const ModelArchive& archive)
      : archive_(archive), unit_(std::make_shared<jit::CompilationUnit>()) {}

  jit::Module read() {
    check_format();
    const CollectFindings findings;
    read_code();
    findings.throw_if_any(archive_);  // before the compiler, which would run some of it
    jit::populate_upgraders_graph_map();
    jit::SourceImporter importer(
        unit_, &constants_, [this](const std::string& qualifier) { return source_of(qualifier); }, version_);
    read_constants();
    const ModelPickle data = pickle("data.pkl");
    std::map<std::string, c10::TypePtr> classes;
    for (const std::string& name : class_names(data)) classes[name] = load(importer, name);
    check_compiled(*unit_, archive_.file());
    findings.throw_if_any(archive_);

    ModelValues values(archive_, "data.pkl", "data/", unit_, [&](const std::string& name) {
      const auto found = classes.find(name);
      return found == classes.end() ? nullptr : found->second;
    });
    if (data.root->kind != PickleNode::Kind::kObject) archive_.refuse("is damaged: data.pkl holds no module");
    const auto type = classes[data.root->text];
    const auto of = type ? type->cast<c10::ClassType>() : nullptr;
    if (of == nullptr || !of->is_module()) archive_.refuse("is damaged: data.pkl holds no module");
    const c10::IValue module = values.make(data.root, type);
    check_rest();
    return jit::Module(module.toObject());
  }

 private:
  void check_format() {
    if (archive_.has("model.json")) {
      archive_.refuse("is in the format of TorchScript before PyTorch 1.3, which is not read");
    }
    const std::string text = archive_.text(archive_.has("version") ? "version" : ".data/version");
    std::uint64_t version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc() || text.find_first_not_of(" \n\r", end - text.data()) != std::string::npos) {
      archive_.refuse("is damaged: its version is not a number");
    }
    if (version < caffe2::serialize::kMinSupportedFileFormatVersion ||
        version > caffe2::serialize::kMaxSupportedFileFormatVersion) {
      archive_.refuse("has version " + std::to_string(version) + " of the format, and " +
                      std::to_string(caffe2::serialize::kMinSupportedFileFormatVersion) + " to " +
                      std::to_string(caffe2::serialize::kMaxSupportedFileFormatVersion) + " are read");
    }
    version_ = version;
    if (archive_.has("byteorder") && archive_.text("byteorder") == "big") {
      archive_.refuse("was saved on a big-endian machine");
    }
  }

  void read_code() {
    for (const std::string& record : archive_.records()) {
      if (!record.starts_with(kCode) || !record.ends_with(kEnding)) continue;
      std::shared_ptr<jit::SourceRangeUnpickler> ranges;
      const std::string lines = record + ".debug_pkl";
      if (archive_.has(lines)) ranges = source_ranges(archive_.text(lines));
      auto source = std::make_shared<jit::Source>(archive_.text(record), record, 1, std::move(ranges));
      check_record(source, archive_.file() + " is refused: " + record);
      sources_.emplace(record, std::move(source));
    }
  }

  std::shared_ptr<jit::Source> source_of(const std::string& qualifier) const {
    std::string record = kCode + qualifier + kEnding;
    std::replace(record.begin() + 5, record.end() - 3, '.', '/');
    const auto found = sources_.find(record);
    return found == sources_.end() ? nullptr : found->second;
  }

  ModelPickle pickle(const std::string& record) const {
    return read_model_pickle(archive_.text(record), archive_.file() + " is damaged: " + record);
  }

  static c10::TypePtr load(const jit::SourceImporter& importer, const std::string& name) {
    if (name.starts_with("__torch__.torch.classes")) return nullptr;
    return importer.loadType(c10::QualifiedName(name));
  }

  void read_constants() {
    const ModelPickle constants = pickle("constants.pkl");
    if (constants.root->kind != PickleNode::Kind::kTuple) archive_.refuse("is damaged: constants.pkl holds no tuple");
    ModelValues values(archive_, "constants.pkl", "constants/", unit_, [](const std::string&) { return nullptr; });
    for (PickleNode::Ref each : constants.root->items) constants_.push_back(values.make(each, c10::AnyType::get()));
  }

  /// Checks records that nothing refers to; a flipped bit there is damage too.
  void check_rest() const {
    for (const std::string& record : archive_.records()) archive_.check(record);
  }

  const ModelArchive& archive_;
  std::shared_ptr<jit::CompilationUnit> unit_;
  std::map<std::string, std::shared_ptr<jit::Source>> sources_;
  std::vector<c10::IValue> constants_;
  std::uint64_t version_ = 0;
};

}  // namespace

jit::Module read_module(const ModelArchive& archive) {
  std::optional<jit::Module> module;
  with_large_stack([&] { module = ModuleReader(archive).read(); });
  return std::move(*module);
}

}  // namespace binade::graph
