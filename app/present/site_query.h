// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <string>

namespace binade::app {

/// A parsed filter line: `format:float16 op:conv,linear path:layer1 free text`. Values of one key are alternatives;
/// keys and free words must all match, without regard to case. A key other than format, op, path, verdict is searched
/// for as text.
struct SiteQuery {
  QStringList formats;
  QStringList ops;
  QStringList paths;
  QStringList verdicts;
  QStringList words;  ///< each must be found in name, format or verdict

  static SiteQuery parse(const QString& text);
  /// Whether every op call matches.
  bool isEmpty() const;
  /// Matches a row by module path with method, op, format, verdict, and the whole name.
  bool matches(const QString& path, const QString& op, const QString& format, const QString& verdict) const;
};

/// What a filter line can be completed with.
struct SiteVocabulary {
  QStringList formats;
  QStringList ops;    ///< `conv2d`, without the library
  QStringList paths;  ///< of modules
};

/// Returns what the word that ends at `cursor` of a filter line can become, as whole words: keys, then their values,
/// `op:conv2d`, `op:conv2d,linear`. Words that begin as typed come before those that only contain it. At most `most`.
QStringList completions(const QString& line, qsizetype cursor, const SiteVocabulary& words, qsizetype most = 12);

/// The name of an op without its library: `conv2d`.
QString shortOp(const std::string& op);

}  // namespace binade::app
