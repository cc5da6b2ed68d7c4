// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

class QSettings;

namespace binade::app {

/// The layouts that the user gave a name, in the settings. They belong to no arrangement. Written at once, so that a
/// crash loses none and two windows do not replace each other's.
class NamedLayouts {
 public:
  static constexpr qsizetype kLongestName = 60;

  /// `settings` must outlive the object.
  explicit NamedLayouts(QSettings* settings) : settings_(settings) {}

  /// Sorted as the user's language does.
  QStringList names() const;
  /// The saved state; empty if there is none, or no usable one.
  QByteArray state(const QString& name) const;
  /// Saves a layout under a name that cleanName() returned, in place of one that has it.
  void save(const QString& name, const QByteArray& state);
  void remove(const QString& name);

  /// A name as it is saved: without space around it, and not too long. Empty: it cannot be one.
  static QString cleanName(const QString& typed);

 private:
  QSettings* settings_;
};

}  // namespace binade::app
