// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QPixmap;

namespace binade::app {

/// A folder of PNG pictures. The path of each picture is printed on standard output.
class PictureFolder {
 public:
  explicit PictureFolder(const QString& path);

  /// Takes the keyboard focus from the widget that has it. Where it is depends on the window system's timing, and a
  /// focused chart shows the values at its cursor.
  static void clearFocus();
  /// Creates the folder if it does not exist. Returns why that failed; empty: it exists.
  QString create() const;
  /// Saves a picture as `name`.png. Returns why that failed; empty: it is saved.
  QString save(const QString& name, const QPixmap& picture);
  /// Absolute path of a file in the folder.
  QString filePath(const QString& name) const;
  /// Number of saved pictures.
  int saved() const { return saved_; }

 private:
  QString path_;
  int saved_ = 0;
};

}  // namespace binade::app
