// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Qt>

namespace binade::views {

/// How a call's format is computed, as the format cell shows it.
enum class CellExecution {
  kNative,    ///< filled square
  kEmulated,  ///< outlined square with a dot
  kFollows,   ///< paler filled square: takes its inputs' format
};

/// Shape before a verdict.
enum class VerdictShape {
  kNone,
  kFits,       ///< tick
  kTight,      ///< open triangle
  kOverflow,   ///< crimson filled diamond
  kCarriedOn,  ///< crimson filled square: NaN or inf passed on
  kLost,       ///< bar under a line: small values lost
  kSkipped,    ///< crimson x: the step was left out
};

/// How sure a figure is, as its source badge shows it.
enum class BadgeStyle {
  kMeasured,  ///< filled: counters
  kIndirect,  ///< outlined: from records, from names, by a clock
  kEstimate,  ///< outlined, second text
  kNone,      ///< outlined, third text: not measured
};

/// What a model feeds the delegates, beside Qt::DisplayRole (the text) and Qt::ToolTipRole.
enum CellRole {
  /// QString, call cell: the call as shown, `layer1.0.conv1/aten::conv2d#0`; up to the `/` it is drawn in weight 500.
  /// Without it Qt::DisplayRole is used.
  CallRole = Qt::UserRole + 0x100,
  /// QStringList, call cell: the call in several lengths, the longest first. The longest that fits is drawn; where none
  /// does, the middle of the last is left out.
  CallFormsRole,
  /// QString, format cell: `float16`. Also what its editor sets through setData(FormatRole).
  FormatRole,
  /// int, a CellExecution, format cell; kNative where absent.
  ExecutionRole,
  /// QString, format cell: small words after the name, `follows`, `promote`, `changed at 850`.
  NoteRole,
  /// bool, format cell: the note tells of the person's own edit (indigo).
  EditedRole,
  /// double, headroom cell: doublings left. Below 1 it is crimson. NaN: nothing known.
  HeadroomRole,
  /// double, headroom cell: doublings of a full bar; 16 where absent.
  HeadroomFullRole,
  /// bool, headroom cell: the tensor was censored, the value is a bound and the bar hatched.
  CensoredRole,
  /// int, a VerdictShape, verdict cell.
  VerdictRole,
  /// bool, any cell: this needs attention (weight 600, and crimson in a number cell).
  AttentionRole,
  /// bool, any cell: of no interest (second text; zeros).
  QuietRole,
  /// double or qint64, any cell: what a proxy sorts by.
  SortRole,
  /// double, bar cell: length as a share of the full bar, 0..1. NaN: not measured, drawn as a hatched ground.
  BarRole,
  /// double, bar cell: how much of BarRole is the second, paler part at the end (backward behind forward).
  BarSecondRole,
  /// double, bar cell: standard error of BarRole, drawn as a line over the end.
  BarErrorRole,
  /// bool, bar cell: an estimate, or an emulation's time: hatched instead of filled.
  BarHatchedRole,
  /// QString, two-line cell: the line above, small words at its right end, and the line below. Qt::DisplayRole is the
  /// whole, for assistive technology.
  HeadRole,
  HeadNoteRole,
  FootRole,
  /// int, every cell of a row: 1 where a fault's path runs through it (a crimson edge), 2 where it began there (a
  /// crimson ground).
  LitRole,
  /// int, a BadgeStyle, badge cell; the words are Qt::DisplayRole.
  BadgeRole,
};

}  // namespace binade::views
