// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"

#include <QList>
#include <QString>

#include <cstdint>

namespace binade::app {

QList<CellModel::Column> quantizedColumns();

/// Identifies an operand across steps by op call, product, operand and format: two that differ in one of them have
/// different numbers. Never negative.
qlonglong quantizedId(const wire::QuantizedOperand& operand);

/// Returns a row for each operand, the lowest signal to noise first. Ids are quantizedId().
QList<CellRow> quantizedRows(const RunModel& run, const wire::QuantizedStep& quantized);

/// `forward, weight`.
QString operandText(policy::Product product, policy::Operand operand);

/// The share of `count` in `of`, with both as its tool tip. `notable`: highlighted from 1 % on.
Cell shareCell(std::uint64_t count, std::uint64_t of, bool notable);

/// Signal to quantization noise: `31.4 dB`; `exact` without noise, a dash for a tensor of zeros.
QString noiseText(const scaled::BlockStats& stats);

/// The operand in sentences: blocks, what they lose, the distribution of their scales, how stale a delayed scale is.
QString quantizedDetail(const RunModel& run, const wire::QuantizedOperand& operand);

}  // namespace binade::app
