// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/file_data.h"

#include "engine/files/mapped_file.h"
#include "engine/formats/error.h"
#include "engine/policy/near_name.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace binade::batches {

namespace {

bool takes_tensor(const c10::Argument& argument) {
  const c10::TypePtr& type = argument.type();
  return c10::TensorType::get()->isSubtypeOf(*type);  // Tensor, Optional[Tensor], Any
}

std::vector<std::string> names_of(std::span<const c10::Argument> arguments) {
  std::vector<std::string> names;
  for (const c10::Argument& each : arguments) names.push_back(each.name());
  return names;
}

void check_columns(const wire::DataConfig& config, std::span<const c10::Argument> arguments) {
  const std::vector<std::string> known = names_of(arguments);
  for (const auto& [name, column] : config.columns) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      std::string list;
      for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
      const auto near = policy::nearest_name(name, known);
      throw Error(
          ErrorCode::kBadRun, "data.columns." + name + ": forward has no argument with this name",
          (near ? "Did you mean \"" + *near + "\"? " : "") + "Its arguments: " + (list.empty() ? "none" : list) + ".")
          .at("data.columns." + name);
    }
    const c10::Argument& argument = arguments[static_cast<std::size_t>(found - known.begin())];
    if (takes_tensor(argument)) continue;
    throw Error(
        ErrorCode::kBadRun,
        "data.columns." + name + ": forward takes a " + argument.type()->annotation_str() + " there, not a tensor",
        "Give the argument a default value in the model.")
        .at("data.columns." + name);
  }
}

/// The column of an argument: as the description says, or, where it has no columns at all, the array of its name.
const wire::ColumnConfig* column_of(const c10::Argument& argument, const wire::DataConfig& config, const ArraySet& set,
                                    wire::ColumnConfig& own) {
  if (const auto found = config.columns.find(argument.name()); found != config.columns.end()) return &found->second;
  if (!config.columns.empty() || !takes_tensor(argument)) return nullptr;
  if (!set.has(argument.name()) && argument.default_value()) return nullptr;
  own.from.values = {argument.name()};
  return &own;
}

}  // namespace

FileData::FileData(const wire::DataConfig& config, std::span<const c10::Argument> arguments, std::int64_t batch,
                   std::uint64_t seed, const files::Progress& progress, Shard shard)
    : files_(config.files), batch_(batch) {
  check_columns(config, arguments);
  const ArraySet set(config.files);
  std::vector<ArraySet::Request> requests;
  std::vector<wire::ColumnConfig> configs;
  const auto add = [&](const std::string& field, const wire::ColumnConfig& column) {
    requests.push_back({field + ".from", column.from.values});
    configs.push_back(column);
    return configs.size() - 1;
  };
  for (const c10::Argument& argument : arguments) {
    wire::ColumnConfig own;
    if (const auto* column = column_of(argument, config, set, own)) {
      inputs_.emplace_back(add("data.columns." + argument.name(), *column));
      if (column == &own) requests.back().field += " (left out)";
    } else if (argument.default_value()) {
      inputs_.emplace_back(*argument.default_value());
    } else {
      throw Error(ErrorCode::kBadRun,
                  "forward takes '" + argument.name() + "' (" + argument.type()->annotation_str() +
                      "), but data.columns has no entry for it",
                  "Name the array for it: \"" + argument.name() + "\": { \"from\": ... }.");
    }
  }
  const std::size_t first_target = configs.size();
  for (const auto& [name, column] : config.targets) targets_.emplace_back(name, add("data.targets." + name, column));

  auto arrays = set.read(requests, progress);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const std::string field = requests[i].field.substr(0, requests[i].field.rfind('.'));
    columns_.emplace_back(field, configs[i], std::move(arrays[i]), i >= first_target);
  }
  if (columns_.empty()) {
    throw Error(ErrorCode::kBadRun, "data.columns: forward takes nothing from the files",
                "Give the model an argument without a default, or use synthetic data.")
        .at("data.columns");
  }
  split_ = split_rows(columns_.front().rows(), config.test, seed);
  check_rows(batch, config.test);
  order_ = EpochOrder(examples(), batch, seed, config.shuffle, shard);
  for (const auto& [name, column] : targets_) {
    const Column& of = columns_[column];
    TargetInfo& info = target_infos_.emplace_back(TargetInfo{name, of.labels(progress), of.label()});
    if (!info.labels) continue;
    info.lowest_line = of.line_of(info.labels->lowest_row);
    info.highest_line = of.line_of(info.labels->highest_row);
  }
  files::check_mapped(files_);
}

void FileData::check_rows(std::int64_t batch, double test) const {
  const Column& first = columns_.front();
  for (const Column& other : columns_) {
    if (other.rows() == first.rows()) continue;
    throw Error(ErrorCode::kBadData,
                first.label() + " has " + std::to_string(first.rows()) + " rows, but " + other.label() + " has " +
                    std::to_string(other.rows()),
                "Row n of each array belongs to the same example, so all must have the same number of rows.")
        .at(first.field());
  }
  if (batch < 1)
    throw Error(ErrorCode::kBadRun, "batch must be at least 1", "batch is the number of examples in a step.")
        .at("batch");
  if (batch <= examples()) return;
  if (examples() == 0) {
    const std::string label = first.label();
    throw Error(ErrorCode::kBadData, first.rows() == 0 ? label + " has no rows" : "data.test reserves every row",
                first.rows() == 0 ? "Add at least one example to the file." : "Reduce data.test.")
        .at(first.rows() == 0 ? first.field() : "data.test");
  }
  throw Error(ErrorCode::kBadRun,
              "batch is " + std::to_string(batch) + ", but the data has only " + std::to_string(examples()) +
                  (test > 0 ? " training rows" : " rows"),
              test > 0 ? "Choose a smaller batch, or reduce data.test." : "Choose a smaller batch.")
      .at("batch");
}

void FileData::check_finite(const files::Progress& progress) {
  for (Column& column : columns_) column.check_finite(progress);
  files::check_mapped(files_);
}

Batch FileData::pick(const at::Tensor& rows) const {
  return files::while_whole(files_, [&] { return rows_of(rows); });
}

Batch FileData::rows_of(const at::Tensor& rows) const {
  Batch batch;
  for (const auto& input : inputs_) {
    const auto* column = std::get_if<std::size_t>(&input);
    batch.inputs.push_back(column != nullptr ? c10::IValue(columns_[*column].batch(rows))
                                             : std::get<c10::IValue>(input));
  }
  for (const auto& [name, column] : targets_) batch.targets.emplace_back(name, columns_[column].batch(rows));
  batch.examples = rows.numel();
  batch.rows.assign(rows.const_data_ptr<std::int64_t>(), rows.const_data_ptr<std::int64_t>() + rows.numel());
  return batch;
}

Batch FileData::next() {
  const at::Tensor rows = order_.current().clone();
  auto* const values = rows.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < rows.numel(); ++i) values[i] = split_.train[static_cast<std::size_t>(values[i])];
  Batch batch = pick(rows);
  batch.share = order_.share();
  order_.advance();
  return batch;
}

std::int64_t FileData::test_batches() const {
  return (test_examples() + batch_ - 1) / batch_;
}

Batch FileData::test_batch(std::int64_t index) const {
  const std::int64_t first = index * batch_;
  auto* const rows = const_cast<std::int64_t*>(split_.test.data()) + first;
  return pick(at::from_blob(rows, {std::min(batch_, test_examples() - first)}, at::kLong));
}

}  // namespace binade::batches
