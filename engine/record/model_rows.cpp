// SPDX-License-Identifier: Apache-2.0
#include "engine/record/model_rows.h"

#include "engine/record/json_at.h"
#include "engine/record/rows.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace binade::record {

namespace {

void write_tensors(const Database& database, const char* kind, const std::vector<wire::TensorInfo>& tensors) {
  Statement tensor(database, "INSERT INTO model_tensors VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensor.run(kind, std::uint64_t{i}, tensors[i].name, tensors[i].dtype, nlohmann::json(tensors[i].shape).dump(),
               tensors[i].trainable);
  }
}

std::vector<wire::TensorInfo> read_tensors(const Database& database, const char* kind, Damage* damage) {
  std::vector<wire::TensorInfo> all;
  Statement tensor(database,
                   "SELECT name, dtype, shape, trainable FROM model_tensors WHERE kind = ? ORDER BY position");
  tensor.query(kind);
  each_row(database, tensor, "model_tensors", -1, damage, [&](const Row& row) {
    const auto shape = json_at(row, 2);
    if (!shape.is_array()) row.fail(2, "a shape is no list");
    wire::TensorInfo read{row.text(0), row.text(1), {}, row.flag(3)};
    for (const auto& size : shape) {
      if (!size.is_number_integer()) row.fail(2, "a shape holds what is no size");
      read.shape.push_back(size.get<std::int64_t>());
    }
    all.push_back(std::move(read));
  });
  return all;
}

/// Blocks are known by their place: where one cannot be read, none is.
std::optional<std::vector<wire::OwnBlockInfo>> read_blocks(const Database& database, Damage* damage) {
  Statement block(database,
                  "SELECT list, low, enabled, cache_enabled, source, outer_block FROM model_blocks ORDER BY position");
  block.query();
  std::vector<wire::OwnBlockInfo> all;
  std::size_t rows = 0;
  each_row(database, block, "model_blocks", -1, damage, [&](const Row& row) {
    ++rows;
    wire::OwnBlockInfo info;
    info.list = row.text(0);
    if (!row.is_null(1)) info.low = row.format(1);
    info.enabled = row.flag(2);
    if (!row.is_null(3)) info.cache_enabled = row.flag(3);
    info.source = row.text(4);
    info.outer = row.small(5);
    if (info.outer < -1 || info.outer >= static_cast<int>(all.size())) {
      row.fail(5, std::to_string(info.outer) + " is no block before it");
    }
    all.push_back(std::move(info));
  });
  return all.size() == rows ? std::optional(std::move(all)) : std::nullopt;
}

/// The innermost block around a site. A block that is not there leaves the site outside of all.
int own_block_at(const Row& row, int column, const std::optional<std::vector<wire::OwnBlockInfo>>& blocks,
                 Damage* damage) {
  if (!blocks) return -1;
  int block = -1;
  attempt(damage, [&] {
    const int read = row.small(column);
    if (read < -1 || read >= static_cast<int>(blocks->size())) {
      row.fail(column,
               std::to_string(read) + ", and the model has " + std::to_string(blocks->size()) + " autocast blocks");
    }
    block = read;
  });
  return block;
}

/// Op calls are known by their place: one that is missing leaves a place without a name, and one with another's id or
/// an id far from all others has none.
std::vector<wire::SiteInfo> read_sites(const Database& database,
                                       const std::optional<std::vector<wire::OwnBlockInfo>>& blocks, Damage* damage) {
  Statement site(database,
                 "SELECT id, path, method, op, overload, ordinal, source, list_rule, is_view, in_place, in_loop, "
                 "own_block FROM sites ORDER BY id");
  site.query();
  const auto most = 2 * std::stoll(database.value("SELECT count(*) FROM sites")) + 16;
  std::vector<wire::SiteInfo> all;
  each_row(database, site, "sites", -1, damage, [&](const Row& row) {
    const int id = row.small(0);
    if (id < 0 || id >= most) row.fail(0, std::to_string(id) + " is no place among the op calls");
    if (static_cast<std::size_t>(id) < all.size()) row.fail(0, std::to_string(id) + " is there twice");
    wire::SiteInfo info{.id = id,
                        .key = {row.text(1), row.text(2), row.text(3), row.text(4), row.small(5)},
                        .source = row.text(6),
                        .list_rule = row.text(7),
                        .view = row.flag(8),
                        .in_place = row.flag(9),
                        .in_loop = row.flag(10),
                        .own_block = own_block_at(row, 11, blocks, damage)};
    if (info.key.ordinal < 0) row.fail(5, std::to_string(info.key.ordinal) + " is out of range");
    while (all.size() < static_cast<std::size_t>(id)) {
      wire::SiteInfo missing;
      missing.id = static_cast<int>(all.size());
      missing.key.op = "missing";
      missing.key.ordinal = missing.id;
      attempt(damage, [&] { refuse(database, "table sites: there is no op call " + std::to_string(missing.id)); });
      all.push_back(std::move(missing));
    }
    all.push_back(std::move(info));
  });
  return all;
}

}  // namespace

void write_model(const Database& database, const wire::ModelInfo& model) {
  Statement site(database, "INSERT INTO sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const auto& each : model.sites) {
    site.run(each.id, each.key.name(), each.key.path, each.key.method, each.key.op, each.key.overload, each.key.ordinal,
             each.source, each.list_rule, each.view, each.in_place, each.in_loop, each.own_block);
  }
  Statement block(database, "INSERT INTO model_blocks VALUES (?, ?, nullif(?, ''), ?, nullif(?, -1), ?, ?)");
  for (std::size_t i = 0; i < model.own_blocks.size(); ++i) {
    const wire::OwnBlockInfo& own = model.own_blocks[i];
    block.run(std::uint64_t{i}, own.list, own.low ? formats::name(*own.low) : std::string(), own.enabled,
              own.cache_enabled ? static_cast<int>(*own.cache_enabled) : -1, own.source, own.outer);
  }
  write_tensors(database, "parameter", model.parameters);
  write_tensors(database, "buffer", model.buffers);
  Statement input(database, "INSERT INTO model_inputs VALUES (?, ?, ?, ?, nullif(?, ''), nullif(?, ''))");
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const wire::ArgumentInfo& argument = model.inputs[i];
    input.run(std::uint64_t{i}, argument.name, argument.type, argument.default_value, argument.guess.value_or(""),
              argument.guess_from.value_or(""));
  }
  Statement warning(database, "INSERT INTO model_warnings VALUES (?, ?)");
  for (std::size_t i = 0; i < model.warnings.size(); ++i) warning.run(std::uint64_t{i}, model.warnings[i]);
}

wire::ModelInfo read_model(const Database& database, Damage* damage) {
  wire::ModelInfo model;
  const auto blocks = read_blocks(database, damage);
  model.own_blocks = blocks.value_or(std::vector<wire::OwnBlockInfo>());
  model.sites = read_sites(database, blocks, damage);
  model.parameters = read_tensors(database, "parameter", damage);
  model.buffers = read_tensors(database, "buffer", damage);
  Statement input(database, "SELECT name, type, default_value, guess, guess_from FROM model_inputs ORDER BY position");
  input.query();
  each_row(database, input, "model_inputs", -1, damage, [&](const Row& row) {
    wire::ArgumentInfo argument{row.text(0), row.text(1), row.text(2)};
    if (!row.is_null(3)) argument.guess = row.text(3);
    if (!row.is_null(4)) argument.guess_from = row.text(4);
    model.inputs.push_back(std::move(argument));
  });
  Statement warning(database, "SELECT text FROM model_warnings ORDER BY position");
  warning.query();
  each_row(database, warning, "model_warnings", -1, damage,
           [&](const Row& row) { model.warnings.push_back(row.text(0)); });
  return model;
}

}  // namespace binade::record
