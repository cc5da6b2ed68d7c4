// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace binade::test {

/// What functions of these names return, as far as declarations in a source say it: functions of one name may differ.
class Returns {
 public:
  enum class Kind {
    kNothingKnown,  ///< declared nowhere, or as `auto`
    kValue,         ///< an object that lives to the end of the expression
    kPointer,       ///< the same, and its members stand behind an arrow: unique_ptr, optional
    kView,          ///< something that refers to what another object holds: a reference, a pointer, a span
    kBoth,          ///< of several functions, one this way and one that
  };
  void learn(const QString& text);
  Kind of(const QString& function) const { return kinds_.value(function, Kind::kNothingKnown); }

 private:
  QHash<QString, Kind> kinds_;
};

/// What is bound to a part of an object that is gone with the expression: the range of a loop, a reference or a view
/// that takes what a member returns of a temporary. `for (... : open(file)->names())` reads what was freed. A sentence
/// a finding; what no declaration tells is let pass.
QStringList danglingUses(const QString& path, const QString& text, const Returns& returns);

/// The same by the declarations of the whole tree and of `text`.
QStringList checkDangling(const QString& path, const QString& text);

}  // namespace binade::test
