// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QRegularExpression>
#include <QTest>

#include <functional>

namespace binade::test {

/// Base of every test class: an unannounced Qt warning fails the running test function.
/// A subclass with an init() of its own calls Suite::init() first.
class Suite : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init();
};

/// Makes a suite known to the executable's main under `name`; use BINADE_SUITE.
bool addSuite(const char* name, std::function<QObject*()> make);

/// A folder for one test's files, removed with the process. The path ends without a slash.
QString temporaryFolder();

}  // namespace binade::test

/// Registers a suite class; the name is the command-line argument and the last part of the ctest name.
#define BINADE_SUITE(Class) \
  static const bool registered##Class = binade::test::addSuite(#Class, [] { return static_cast<QObject*>(new Class); })
