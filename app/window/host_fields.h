// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "app/session/recent_hosts.h"

#include <QWidget>

#include <cstdint>

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QSettings;

namespace binade::app {

/// The fields that name an engine of another computer: the host, with those used before, and the command that starts
/// the engine there. Choosing a host that was used before also fills in its command.
class HostFields : public QWidget {
  Q_OBJECT

 public:
  enum class Empty : std::uint8_t {
    kNotAllowed,
    kThisComputer,  ///< the host may be empty, and the list begins with an empty one
  };

  /// `settings` has the hosts used before, and must outlive the fields.
  HostFields(QSettings* settings, Empty empty, QWidget* parent = nullptr);

  QComboBox* host() const { return host_; }
  QLineEdit* command() const { return command_; }
  /// Adds a widget at the right of the command, which the fields then own.
  void addBesideCommand(QWidget* widget);

  QString hostName() const;
  /// The engine of the named host. The host must not be empty.
  EngineCommand engine() const;
  /// Puts the host, if there is one, first among those used before.
  void remember();

 Q_SIGNALS:
  /// The user typed another host or command, or the program set another host.
  void edited();
  /// The user chose a host in the list; the command has followed.
  void hostChosen();

 private:
  void choose(int index);

  QSettings* settings_;
  const QList<RecentHost> recent_;
  const int first_recent_;  ///< its index in the list
  QComboBox* host_;
  QLineEdit* command_;
  QHBoxLayout* command_row_;
};

}  // namespace binade::app
