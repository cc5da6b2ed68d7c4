// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/fit.h"

namespace binade::scaled {

namespace {

/// Both dimensions of a matrix must be multiples of it. The products of FP8 per tensor need 16.
int multiple_of(const ScaledFormat& format) {
  return format.scaling == Scaling::kBlocks ? format.block.length : 16;
}

std::int64_t padded(std::int64_t size, int multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace

std::vector<Misfit> misfits(const ScaledFormat& format, std::int64_t rows, std::int64_t columns) {
  if (rows <= 0 || columns <= 0) return {{.kind = Misfit::Kind::kEmpty}};
  if (rows == 1 && columns == 1) return {{.kind = Misfit::Kind::kOneValue, .size = 1}};
  const int needed = multiple_of(format);
  std::vector<Misfit> found;
  if (columns % needed != 0) found.push_back({Misfit::Kind::kColumns, columns, needed, padded(columns, needed)});
  if (rows % needed != 0) found.push_back({Misfit::Kind::kRows, rows, needed, padded(rows, needed)});
  return found;
}

std::string sentence(const Misfit& misfit, const ScaledFormat& format) {
  const std::string name = scaled::name(format);
  switch (misfit.kind) {
    case Misfit::Kind::kEmpty:
      return "The matrix has no values, so nothing is quantized to " + name + ".";
    case Misfit::Kind::kOneValue:
      return "The matrix has a single value. Its scale fits this value alone, so the result does not show the effect "
             "of " +
             name + ".";
    case Misfit::Kind::kColumns:
    case Misfit::Kind::kRows:
      break;
  }
  const bool contracted = misfit.kind == Misfit::Kind::kColumns;
  const std::string size = std::to_string(misfit.size);
  const std::string needed = std::to_string(misfit.needed);
  std::string text = std::string("The ") + (contracted ? "contracted" : "other") + " dimension has the size " + size +
                     ", which is not a multiple of " + needed + ". ";
  const std::string fitting = std::to_string(misfit.padded);
  if (format.scaling == Scaling::kBlocks) {
    text += "Libraries reject it; the caller pads it to " + fitting + " or keeps the high-precision format. ";
  } else {
    text += "torchao leaves such a layer in the high-precision format; padded to " + fitting + ", it fits. ";
  }
  return text + (contracted ? "Here the last block is filled with zeros." : "Here the size has no effect.");
}

}  // namespace binade::scaled
