// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace binade::test {

/// Return types of functions by name, learnt from declarations in sources. Functions of one name may differ.
class Returns {
 public:
  enum class Kind {
    kNothingKnown,  ///< not declared, or declared as `auto`
    kValue,         ///< an object that lives until the end of the expression
    kPointer,       ///< the same, with members reached by an arrow: unique_ptr, optional
    kView,          ///< refers to another object: a reference, a pointer, a span
    kBoth,          ///< several functions of this name with different kinds
  };
  void learn(const QString& text);
  Kind of(const QString& function) const { return kinds_.value(function, Kind::kNothingKnown); }

 private:
  QHash<QString, Kind> kinds_;
};

/// Finds references to a part of an object that ends with its expression: the range of a loop, or a reference or view
/// bound to the result of a temporary's member. For example, `for (... : open(file)->names())` reads freed memory.
/// Returns one sentence per finding; uses of unknown functions are not reported.
QStringList danglingUses(const QString& path, const QString& text, const Returns& returns);

/// The same with the declarations of the whole tree and of `text`.
QStringList checkDangling(const QString& path, const QString& text);

}  // namespace binade::test
