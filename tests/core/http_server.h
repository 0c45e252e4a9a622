// SPDX-License-Identifier: GPL-3.0-or-later
// A web server for tests on 127.0.0.1, with the bad habits of real ones. One thread, one request per connection.
#pragma once

#include <QByteArray>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lab::test {

class HttpServer {
 public:
  struct Manners {
    int status = 0;              // answer with this instead of the file
    bool ignoresRanges = false;  // answers 200 with the whole file, whatever was asked for
    bool wrongRange = false;     // answers 206 with the file from its beginning
    bool noLength = false;       // no Content-Length: the end of the connection is the end of the file
    qsizetype cutAfter = -1;     // closes after this many bytes of the body
    bool stalls = false;         // after cutAfter bytes, keeps the connection open and silent
    QByteArray redirect;         // address to send the client to
  };

  HttpServer() {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
        listen(listener_, 8) != 0 || getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
        pipe(wake_) != 0)
      std::abort();
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }

  ~HttpServer() {
    close(wake_[1]);
    thread_.join();
    close(wake_[0]);
    close(listener_);
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
  void put(const std::string& name, const QByteArray& content) {
    const std::lock_guard lock(mutex_);
    files_[name] = content;
  }
  void behave(const Manners& manners) {
    const std::lock_guard lock(mutex_);
    manners_ = manners;
  }
  // "train-images-idx3-ubyte.gz 100-" for each request, in order.
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  bool readable(int socket) {  // returns false when the server is to end
    pollfd sockets[] = {{socket, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    return poll(sockets, 2, -1) > 0 && sockets[1].revents == 0;
  }

  void serve() {
    while (readable(listener_)) {
      const int client = accept(listener_, nullptr, nullptr);
      if (client < 0) continue;
      QByteArray request;
      char piece[4096];
      while (!request.contains("\r\n\r\n") && readable(client)) {
        const ssize_t got = recv(client, piece, sizeof(piece), 0);
        if (got <= 0) break;
        request.append(piece, got);
      }
      answer(client, request);
      close(client);
    }
  }

  void answer(int client, const QByteArray& request) {
    const QByteArray path = request.mid(request.indexOf('/') + 1);
    const std::string name = path.left(path.indexOf(' ')).toStdString();
    const qsizetype rangeAt = request.indexOf("Range: bytes=");
    const QByteArray range =
        rangeAt < 0 ? "" : request.mid(rangeAt + 13, request.indexOf("\r\n", rangeAt) - rangeAt - 13);
    Manners manners;
    QByteArray content;
    bool known = false;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(name + (range.isEmpty() ? "" : " " + range.toStdString()));
      manners = manners_;
      known = files_.count(name) > 0;
      if (known) content = files_[name];
    }
    qsizetype from = 0;
    QByteArray head = "HTTP/1.1 200 OK\r\n";
    if (!manners.redirect.isEmpty()) {
      head = "HTTP/1.1 302 Found\r\nLocation: " + manners.redirect + name.c_str() + "\r\n";
      content = "moved";
    } else if (manners.status != 0 || !known) {
      head = "HTTP/1.1 " + QByteArray::number(manners.status != 0 ? manners.status : 404) + " No\r\n";
      content = "<html>no</html>";
    } else if (!range.isEmpty() && !manners.ignoresRanges) {
      from = range.left(range.indexOf('-')).toLongLong();
      if (from >= content.size()) {
        head = "HTTP/1.1 416 Range Not Satisfiable\r\n";
        content = "";
        from = 0;
      } else {
        if (manners.wrongRange) from = 0;
        head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " + QByteArray::number(from) + "-" +
               QByteArray::number(content.size() - 1) + "/" + QByteArray::number(content.size()) + "\r\n";
      }
    }
    QByteArray body = content.mid(from);
    if (!manners.noLength) head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    head += "Connection: close\r\n\r\n";
    if (manners.cutAfter >= 0) body = body.left(manners.cutAfter);
    sendAll(client, head + body);
    if (manners.stalls) readable(client);  // until the client gives up
  }

  void sendAll(int client, const QByteArray& bytes) {
    for (qsizetype done = 0; done < bytes.size();) {
      const ssize_t sent =
          send(client, bytes.data() + done, static_cast<std::size_t>(bytes.size() - done), MSG_NOSIGNAL);
      if (sent <= 0) return;
      done += sent;
    }
  }

  int listener_ = -1;
  int wake_[2] = {-1, -1};
  int port_ = 0;
  std::mutex mutex_;
  std::map<std::string, QByteArray> files_;
  Manners manners_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace lab::test
