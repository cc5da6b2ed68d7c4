// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Qt>

namespace binade::views {

/// How an op call's format is computed, as shown in the format cell.
enum class CellExecution {
  kNative,    ///< filled square
  kEmulated,  ///< outlined square with a dot
  kFollows,   ///< paler filled square: takes its inputs' format
};

/// The shape before a verdict.
enum class VerdictShape {
  kNone,
  kFits,       ///< tick
  kTight,      ///< open triangle
  kOverflow,   ///< crimson filled diamond
  kCarriedOn,  ///< crimson filled square: NaN or infinity passed on
  kLost,       ///< bar under a line: small values lost
  kSkipped,    ///< crimson x: the step was skipped
};

/// Reliability of a figure, shown by its source badge.
enum class BadgeStyle {
  kMeasured,  ///< filled: counters
  kIndirect,  ///< outlined: from records, names or a clock
  kEstimate,  ///< outlined, second text
  kNone,      ///< outlined, third text: not measured
};

/// Data roles for the delegates, in addition to Qt::DisplayRole (the text) and Qt::ToolTipRole.
enum CellRole {
  /// QString, call cell: the op call, `layer1.0.conv1/aten::conv2d#0`; the part before `/` is drawn in weight 500.
  /// Default: Qt::DisplayRole.
  CallRole = Qt::UserRole + 0x100,
  /// QStringList, call cell: the op call in several lengths, the longest first. The longest that fits is drawn; if none
  /// does, the last is cut once, between its parts.
  CallFormsRole,
  /// QString, format cell: `float16`. The editor sets it too.
  FormatRole,
  /// int (CellExecution), format cell; default kNative.
  ExecutionRole,
  /// QString, format cell: small text after the name, `follows`, `promote`, `since step 850`. Heading cell: `9 events`.
  NoteRole,
  /// bool, format cell: the note refers to the user's own edit (indigo).
  EditedRole,
  /// double, headroom cell: doublings left; crimson below 1. NaN: unknown.
  HeadroomRole,
  /// double, headroom cell: doublings of a full bar; default 16.
  HeadroomFullRole,
  /// bool, headroom cell: the tensor was censored, so the value is a bound and the bar is hatched.
  CensoredRole,
  /// int (VerdictShape), verdict cell.
  VerdictRole,
  /// bool, any cell: needs attention (weight 600, and crimson in a number cell).
  AttentionRole,
  /// bool, any cell: worth reading, and nothing wrong (weight 600, no colour).
  StrongRole,
  /// bool, any cell: of no interest (second text; zeros).
  QuietRole,
  /// double or qint64, any cell: sort key for a proxy.
  SortRole,
  /// double, bar cell: length as a fraction of the full bar, 0 to 1. NaN: not measured, drawn with a hatched
  /// background.
  BarRole,
  /// double, bar cell: the part of BarRole drawn paler at the end (backward after forward).
  BarSecondRole,
  /// double, bar cell: standard error of BarRole, drawn as a line over the end.
  BarErrorRole,
  /// bool, bar cell: an estimate, or an emulation's time; hatched instead of filled.
  BarHatchedRole,
  /// QString, two-line cell: the first line, small text at its right end, and the second line. Qt::DisplayRole is the
  /// whole text, for assistive technology.
  HeadRole,
  HeadNoteRole,
  FootRole,
  /// bool, timeline cell: undone; the first line is struck through.
  StruckRole,
  /// bool, timeline cell: the entry is the one in force; its mark on the line is filled.
  NowRole,
  /// int, every cell of a row: 1 if a fault's path passes through it (crimson edge), 2 if the fault started there
  /// (a crimson diamond before the op call too).
  LitRole,
  /// int (BadgeStyle), badge cell; the text is Qt::DisplayRole.
  BadgeRole,
  /// QList<double>, history cell: doublings left over time, oldest first; NaN: unknown.
  HistoryRole,
  /// int, call cell: how far the row is indented, as the number of modules around it.
  DepthRole,
  /// bool, call cell: the row is a module, and its op calls are shown below it. No value: not a module.
  /// Heading cell: the rows of its group are shown.
  ExpandedRole,
  /// QStringList, format cell of a module: the formats of its op calls if they differ.
  FormatsRole,
  /// PickedNumber, any cell: the number that *Look at this number* sends to the number formats.
  NumberRole,
  /// bool: a text that does not fit is elided in its middle, since its end matters.
  KeepEndRole,
  /// QString, text cell: drawn instead of the text if that does not fit.
  BriefRole,
  /// QString, format cell: drawn instead of the note if that does not fit, `at 850`.
  BriefNoteRole,
};

}  // namespace binade::views
