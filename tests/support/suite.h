// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QRegularExpression>
#include <QTest>

#include <functional>

namespace binade::test {

/// Base of every test class: an unexpected Qt warning fails the running test function.
/// A subclass with its own init() must begin it with failOnWarnings().
class Suite : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init();
};

/// Registers a suite with the executable's main under `name`; use BINADE_SUITE.
bool addSuite(const char* name, std::function<QObject*()> make);

/// Returns a new folder for one test's files, removed at exit. The path has no trailing slash.
QString temporaryFolder();

}  // namespace binade::test

/// Registers a suite class. Its name is the command-line argument and the last part of the ctest name.
#define BINADE_SUITE(Class) \
  static const bool registered##Class = binade::test::addSuite(#Class, [] { return static_cast<QObject*>(new Class); })
