// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/confine/hostile_files.h"
#include "tests/graph/zip_records.h"
#include "tests/support/suite.h"

#include <QByteArray>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QString>

namespace binade::test {

inline constexpr auto kSecret = "SECRET-0123456789abcdef-SECRET";

/// A folder with the hostile model and its run, and a folder outside that nothing may read or change.
class HostileGround {
 public:
  HostileGround() {
    QDir().mkpath(outside() + QStringLiteral("/folder"));
    QDir().mkpath(inside());
    write(outside() + QStringLiteral("/secret"), kSecret);
    QFile::link(outside() + QStringLiteral("/secret"), outside() + QStringLiteral("/link"));
  }

  QString outside() const { return folder_ + QStringLiteral("/outside"); }
  QString inside() const { return folder_ + QStringLiteral("/inside"); }
  QString model() const { return inside() + QStringLiteral("/model.pt"); }
  QString run() const { return inside() + QStringLiteral("/run.json"); }

  /// Writes the model, and a description of its training.
  void put(const HostileFile& file) const {
    write_bytes(model().toStdString(), file.bytes);
    describe({});
  }
  /// Writes the description with one more field.
  void describe(const QByteArray& field) const {
    write(run(), R"({"binade_run": 1, "name": "hostile", "model": "model.pt", "batch": 2, "steps": 1,
                     "data": {"kind": "synthetic", "inputs": ["float32[2,3]"], "classes": 3})" +
                     (field.isEmpty() ? QByteArray() : ", " + field) + "}");
  }

  /// Names and contents of all files outside.
  QMap<QString, QByteArray> contents() const {
    QMap<QString, QByteArray> all;
    QDirIterator files(outside(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile file(files.next());
      all.insert(file.fileName(), file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("?"));
    }
    return all;
  }

 private:
  static void write(const QString& name, const QByteArray& text) {
    QFile file(name);
    if (file.open(QIODevice::WriteOnly)) file.write(text);
  }

  QString folder_ = temporaryFolder();
};

}  // namespace binade::test
